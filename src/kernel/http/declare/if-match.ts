import type { IncomingHttpHeaders } from 'node:http';
import { fail, wrongField } from '#kernel/error.ts';

/**
 * The version that an edit is meant for: `version` of its body, or `If-Match: "3"`; undefined where neither is sent,
 * or any will do (`*`). Throws where the header is no version, or the two differ.
 */
export function versionMeant(
  body: { readonly version?: number },
  headers: IncomingHttpHeaders,
): number | undefined {
  const header = headers['if-match']?.trim();
  if (header === undefined || header === '*') return body.version;
  const [, digits] = /^(?:W\/)?"?([1-9]\d{0,8})"?$/.exec(header) ?? [];
  if (digits === undefined) throw wrongField('If-Match', 'must be one version, such as "3"');
  const version = Number(digits);
  if (body.version !== undefined && body.version !== version)
    throw wrongField('version', 'must be that of If-Match where both are sent');
  return version;
}

/** The same where one has to be sent, as for an approval. Throws VALIDATION_ERROR where none is. */
export function requiredVersion(
  body: { readonly version?: number },
  headers: IncomingHttpHeaders,
): number {
  const version = versionMeant(body, headers);
  if (version === undefined)
    throw wrongField('version', 'is required', {
      hint: 'Read the object and send its version, in the body or as If-Match.',
    });
  return version;
}

/** Throws VERSION_CONFLICT with the version that there is, where an edit is meant for another one. */
export function requireVersion(version: number, meant: number | undefined): void {
  if (meant !== undefined && meant !== version)
    throw fail('VERSION_CONFLICT', 'It has been changed since it was read', {
      details: { version },
    });
}
