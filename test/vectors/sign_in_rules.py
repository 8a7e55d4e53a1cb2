"""PKCE and the password proof of docs/protocol/sync.md, Signing in."""

import hashlib
import hmac
import json
import re
import unicodedata

from texts import decode_base64url, encode_base64url


def code_challenge(verifier):
    if not re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", verifier):
        return None
    return encode_base64url(hashlib.sha256(verifier.encode()).digest())


def prove_password(purpose, username, password, attempt, challenge, client_nonce):
    iterations, salt = challenge["iterations"], decode_base64url(challenge["salt"])
    if not isinstance(iterations, int) or not 100_000 <= iterations <= 10_000_000:
        return {"kind": "iterations-refused"}
    if salt is None or len(salt) < 16:
        return {"kind": "salt-refused"}
    members = attempt | challenge | {
        "clientNonce": client_nonce,
        "purpose": purpose,
        "username": unicodedata.normalize("NFC", username),
        "version": 1,
    }
    message = json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    secret = unicodedata.normalize("NFC", password).encode()
    salted = hashlib.pbkdf2_hmac("sha256", secret, salt, iterations)
    client_key = sign(salted, "Client Key")
    signature = sign(hashlib.sha256(client_key).digest(), message)
    proof = bytes(one ^ other for one, other in zip(client_key, signature))
    return {
        "kind": "proved",
        "authMessage": message,
        "proof": encode_base64url(proof),
        "serverSignature": encode_base64url(sign(sign(salted, "Server Key"), message)),
    }


def sign(key, text):
    return hmac.digest(key, text.encode(), "sha256")
