"""Runs a client that was written from the protocol pages alone for the conformance kit: a task in, its result out."""

import base64
import hashlib
import http.client
import json
import secrets
import signal
import sys
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from urllib.parse import parse_qsl, urlencode, urlsplit

import events_rules

PAGE = 500
MARGIN = timedelta(minutes=5)
TIMEOUT_SECONDS = 15
MAX_BYTES = 16 * 1024 * 1024


class Failed(Exception):
    pass


def give_up(_signal, _frame):
    raise Failed


def request(task, method, target, headers, body=None):
    """Status, the header Date, and the object of a response with status 200."""
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(TIMEOUT_SECONDS)
    connection = http.client.HTTPConnection(urlsplit(task["connectTo"]).netloc)
    try:
        connection.request(method, target, body, headers)
        response = connection.getresponse()
        if response.status != 200:
            return response.status, None, None
        data = response.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES or response.length:
            raise Failed
        return response.status, response.getheader("Date"), json.loads(data)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Failed from error
    finally:
        signal.alarm(0)
        connection.close()


def sync(task):
    state = task["state"] or {}
    since = state.get("updatedSince")
    query = urlencode({"limit": PAGE} | ({"updated_since": since} if since else {}))
    began = datetime.now(timezone.utc)
    headers = {"Authorization": f"Bearer {task['accessToken']}"}
    status, date, response = request(task, "GET", f"/api/events?{query}", headers)
    if status == 401:
        return {"kind": "reconnect-needed", "state": state}
    local = lambda moment: datetime.fromtimestamp(moment / 1000).astimezone().utcoffset() // timedelta(minutes=1)
    report = events_rules.import_events(response, task["habits"], task["serviceName"], local)
    if status != 200 or report["kind"] != "events":
        raise Failed
    imported = [habit | habit.pop("source") for habit in report["imported"]]
    result = {"kind": "synced", "imported": imported, "mayHaveMore": len(response.get("events") or []) >= PAGE}
    if result["mayHaveMore"]:
        # Some may be missing, so the next sync begins where this one did.
        return result | {"message": "Some events may be missing", "state": state}
    clock = parsedate_to_datetime(date) if date else began
    return result | {"state": {"updatedSince": (clock - MARGIN).strftime("%Y-%m-%dT%H:%M:%SZ")}}


def begin_login(task, origin):
    pending = {"state": secrets.token_urlsafe(32), "verifier": secrets.token_urlsafe(32)}
    digest = hashlib.sha256(pending["verifier"].encode()).digest()
    query = {
        "client_id": task["clientId"],
        "redirect_uri": task["redirectUri"],
        "response_type": "code",
        "scope": "read:events",
        "state": pending["state"],
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    return {"kind": "begun", "authorizeUrl": f"{origin}/api/oauth/authorize?{urlencode(query)}", "state": pending}


def complete_login(task):
    pending = task["state"]
    callback = dict(parse_qsl(urlsplit(task["callbackUrl"]).query))
    if callback.get("state") != pending["state"] or "code" not in callback:
        return {"kind": "not-connected"}
    form = {
        "grant_type": "authorization_code",
        "code": callback["code"],
        "client_id": task["clientId"],
        "redirect_uri": task["redirectUri"],
        "code_verifier": pending["verifier"],
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    status, _, response = request(task, "POST", "/api/oauth/token", headers, urlencode(form))
    token = response.get("access_token") if isinstance(response, dict) else None
    return {"kind": "connected" if status == 200 and isinstance(token, str) and token else "not-connected"}


def run(task):
    origin = events_rules.parse_origin(task["address"])
    if origin["kind"] == "refused":
        return {"kind": "address-refused"}
    try:
        match task["do"]:
            case "sync":
                return sync(task)
            case "begin-login":
                return begin_login(task, origin["origin"])
            case "complete-login":
                return complete_login(task)
    except Failed:
        return {"kind": "not-connected"} if task["do"] == "complete-login" else {"kind": "failed", "state": task["state"]}


print(json.dumps(run(json.load(sys.stdin))))
