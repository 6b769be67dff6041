import { codeTable } from '../code-table.ts';

const all = <M extends string>(meaning: M, ...codes: number[]): Record<string, M> =>
  Object.fromEntries(codes.map((code) => [String(code), meaning]));

/** `refused`: this message will never be taken. `wait`: it may be different next time. */
export const META_CODES = codeTable<'refused' | 'wait'>({
  source:
    'https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes',
  read: '2026-11-27',
  meanings: {
    // A wrong parameter, a receiver who cannot be reached, or a template that does not fit.
    ...all('refused', 100, 131_008, 131_009, 131_021, 131_026, 131_030, 131_047, 131_051),
    ...all('refused', 131_052, 131_053, 132_000, 132_001, 132_005, 132_007, 132_012, 132_015),
    ...all('refused', 132_016, 132_068, 132_069),
    // Limits, failures of theirs, and what the operator puts right.
    ...all('wait', 4, 80_007, 130_429, 131_048, 131_056, 1, 2, 131_000, 131_016),
    ...all('wait', 190, 10, 200, 368, 131_031, 131_042, 133_010),
  },
});
