import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput, oneOfWords } from '#kernel/http/declare/schema.ts';

/** Blockfrost's words for what it refuses, by status. */
const ERRORS: Readonly<Record<number, readonly [error: string, message: string]>> = {
  400: ['Bad Request', 'Backend did not understand your request.'],
  402: ['Project Over Limit', 'Usage is over limit.'],
  403: ['Forbidden', 'Invalid project token.'],
  404: ['Not Found', 'The requested component has not been found.'],
  418: ['Requested Banned', 'IP has been auto-banned for flooding.'],
  425: ['Mempool Full', 'Mempool is full, please try resubmitting again later.'],
  429: ['Project Over Limit', 'Usage is over limit.'],
};

/** A refusal in its form, in its own words where there is no `message`. */
export function blockfrostRefusal(status_code: number, message?: string) {
  const [error, usual] = ERRORS[status_code] ?? [
    'Internal Server Error',
    'An unexpected response was received from the backend.',
  ];
  return { status_code, error, message: message ?? usual };
}

export const missing = (reply: FastifyReply) => reply.code(404).send(blockfrostRefusal(404));

/** The page of a list, oldest first unless it is asked for otherwise. */
export const BlockfrostPage = Type.Object({
  count: Type.Optional(integerInput(1, 100)),
  page: Type.Optional(integerInput(1, 21_474_836)),
  order: Type.Optional(oneOfWords(['asc', 'desc'] as const)),
});
export type BlockfrostPage = Static<typeof BlockfrostPage>;

/** Of rows from the oldest on. */
export function blockfrostPage<T>(
  oldestFirst: readonly T[],
  { page = 1, count = 100, order }: BlockfrostPage,
): T[] {
  const rows = order === 'desc' ? oldestFirst.toReversed() : oldestFirst;
  return rows.slice((page - 1) * count, page * count);
}

export const shownAmounts = (amounts: Readonly<Record<string, string>>) =>
  Object.entries(amounts).map(([unit, quantity]) => ({ unit, quantity }));
