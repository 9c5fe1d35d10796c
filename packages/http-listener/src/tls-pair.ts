import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { failure, messageOf, type Result, success } from '@svc/core';

/** The files of a certificate and its key. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate and its key. */
export interface TlsPair {
  /** PEM text: the certificate, then its chain. */
  readonly cert: string;
  readonly key: string;
  /** SHA-256 of the certificate, as `AB:CD:…`. */
  readonly fingerprint: string;
  /** Expiry of the certificate, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** Reads and validates a pair. The error is a sentence that names the setting and the file. */
export async function readTlsPair(files: TlsFiles): Promise<Result<TlsPair, string>> {
  const cert = await readPem('certFile', files.certFile);
  if (!cert.ok) return cert;
  const key = await readPem('keyFile', files.keyFile);
  if (!key.ok) return key;
  const certificate = certificateIn(cert.value);
  if (certificate === null) {
    return failure(`server.tls.certFile: ${files.certFile} contains no PEM certificate.`);
  }
  const privateKey = keyIn(key.value);
  if (privateKey === null) {
    const message = `server.tls.keyFile: ${files.keyFile} contains no PEM private key that can be read without a password.`;
    return failure(message);
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    const message = `server.tls.keyFile: the key in ${files.keyFile} does not belong to the first certificate in ${files.certFile}.`;
    return failure(message);
  }
  const fault = contextFault(cert.value, key.value);
  if (fault !== null) {
    return failure(`server.tls.certFile: ${files.certFile} cannot be used for TLS (${fault}).`);
  }
  return success({
    cert: cert.value,
    key: key.value,
    fingerprint: certificate.fingerprint256,
    endsAt: Date.parse(certificate.validTo),
  });
}

async function readPem(name: keyof TlsFiles, file: string): Promise<Result<string, string>> {
  try {
    return success(await readFile(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? message})`;
    return failure(`server.tls.${name}: ${file} ${why}.`);
  }
}

function certificateIn(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    // The text is not a certificate.
    return null;
  }
}

function keyIn(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    // The text is not a private key, or is protected by a password.
    return null;
  }
}

// Finds the remaining problems, such as short keys and broken chains.
function contextFault(cert: string, key: string): string | null {
  try {
    createSecureContext({ cert, key });
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
