/** The function returns what is wrong with a public key, as the end of a sentence, or null. */
export async function loadRecipientCheck(): Promise<(recipient: string) => string | null> {
  const { Encrypter } = await import("age-encryption");
  return (recipient) => {
    if (/^age-secret-key-/i.test(recipient)) {
      return "is a secret identity, which must not be on a server: name its public key, which `age-keygen -y FILE` prints, and create a new identity if others could read this one";
    }
    try {
      new Encrypter().addRecipient(recipient);
      return null;
    } catch {
      return `must be a public key of age (age1…), as age-keygen prints it, not "${recipient}"`;
    }
  };
}
