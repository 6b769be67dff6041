import { fail } from '#kernel/error.ts';

const MIB = 2 ** 20;

/** What a file is for. Callers send the first three; the service makes the others. */
export const SENT_PURPOSES = ['dispute_evidence', 'batch_import', 'logo'] as const;
export const FILE_PURPOSES = [...SENT_PURPOSES, 'statement', 'export', 'batch_result'] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];

const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];
export const FILE_TYPES = [
  'application/pdf',
  ...PICTURES,
  'text/csv',
  'application/xml',
  'application/json',
] as const;

interface Terms {
  readonly most: number;
  readonly types: readonly string[];
}

const USUAL: Terms = { most: 10 * MIB, types: FILE_TYPES };
const TERMS: Readonly<Partial<Record<FilePurpose, Terms>>> = {
  batch_import: { most: 16 * MIB, types: ['text/csv', 'application/xml', 'application/json'] },
  logo: { most: MIB / 2, types: PICTURES },
  export: { most: 1024 * MIB, types: ['application/gzip'] },
};
export const FILE_BYTES_MAX = 16 * MIB;

/** How large a file of that purpose may be, and of which types. */
export const fileTermsOf = (purpose: FilePurpose): Terms => TERMS[purpose] ?? USUAL;

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

/** The type that the first bytes of a file show. Text is CSV unless it begins as XML or JSON does; undefined for others. */
function typeOfBytes(bytes: Buffer): string | undefined {
  if (startsWith(bytes, '%PDF-')) return 'application/pdf';
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith(bytes, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'image/webp';
  if (startsWith(bytes, '\x1f\x8b\x08')) return 'application/gzip';
  if (!isText(bytes)) return undefined;
  const [first] = bytes
    .subarray(0, SEEN)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (first === '<') return 'application/xml';
  return first === '{' || first === '[' ? 'application/json' : 'text/csv';
}

const SEEN = 4096;
/** Control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\0-\x08\x0e-\x1f]/;

/** UTF-8, as far as it is looked at; the cut may be within a character. */
const isText = (bytes: Buffer): boolean => {
  const text = new TextDecoder('utf-8', { fatal: true });
  try {
    return !CONTROLS.test(text.decode(bytes.subarray(0, SEEN), { stream: true }));
  } catch {
    return false;
  }
};

/** The name that a caller states for a type, as we write it. */
const plainTypeOf = (stated: string): string => {
  const type = stated.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'text/xml' ? 'application/xml' : type;
};

/** Throws UNSUPPORTED_MEDIA_TYPE where the bytes are none that the purpose takes, or another type than they say. */
export function requireType(purpose: FilePurpose, stated: string, bytes: Buffer): string {
  const { types } = fileTermsOf(purpose);
  const found = typeOfBytes(bytes);
  if (found !== undefined && found === plainTypeOf(stated) && types.includes(found)) return found;
  throw fail('UNSUPPORTED_MEDIA_TYPE', 'File is not of a type that its purpose takes', {
    hint: `A file of the purpose ${purpose} is one of ${types.join(', ')}, by its Content-Type and by its first bytes; these look like ${found ?? 'none of them'}.`,
  });
}
