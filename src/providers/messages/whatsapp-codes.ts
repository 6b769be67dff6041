import { Value } from 'typebox/value';
import type { Refusal, Unknown } from '#kernel/effects/outcome.ts';
import { type HttpReply, unknown } from '#kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import { messageRefused } from './http-sender.ts';
import { META_CODES } from './meta-codes.ts';
import { GraphRefusal } from './wire.ts';

export const isFinal = (code: number): boolean => meaningOf(META_CODES, String(code)) === 'refused';

/** Meta says to decide by the code: a throttled call is answered 400 as well as 429. */
export function byGraphCode({ status, json }: HttpReply): Refusal | Unknown {
  if (!Value.Check(GraphRefusal, json)) return unknown(`HTTP ${status}`);
  const { code } = json.error;
  return isFinal(code) ? messageRefused(refusalCode(code), status) : unknown(`Meta ${code}`);
}

export const refusalCode = (code: number): string => `META_${code}`;
