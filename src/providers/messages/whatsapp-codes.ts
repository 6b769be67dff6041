import { Value } from 'typebox/value';
import type { Refusal, Unknown } from '#kernel/effects/outcome.ts';
import { type HttpReply, unknown } from '#kernel/provider-call.ts';
import { messageRefused } from './http-sender.ts';
import { GraphRefusal } from './wire.ts';

/**
 * Meta's codes that say that this message will never be taken
 * (developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes):
 * a wrong parameter, a receiver who cannot be reached, or a template that does not fit.
 */
const FINAL: ReadonlySet<number> = new Set([
  ...[100, 131_008, 131_009, 131_021, 131_026, 131_030, 131_047, 131_051, 131_052, 131_053],
  ...[132_000, 132_001, 132_005, 132_007, 132_012, 132_015, 132_016, 132_068, 132_069],
]);

/**
 * Every other code may be different next time: limits (4, 80007, 130429, 131048, 131056), failures of theirs (1, 2,
 * 131000, 131016), and what the operator puts right (190, 10, 200 to 299, 368, 131031, 131042, 133010).
 */
export const isFinal = (code: number): boolean => FINAL.has(code);

/** Meta says to decide by the code: a throttled call is answered 400 as well as 429. */
export function byGraphCode({ status, json }: HttpReply): Refusal | Unknown {
  if (!Value.Check(GraphRefusal, json)) return unknown(`HTTP ${status}`);
  const { code } = json.error;
  return isFinal(code) ? messageRefused(refusalCode(code), status) : unknown(`Meta ${code}`);
}

export const refusalCode = (code: number): string => `META_${code}`;
