import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { AppError } from '#kernel/error.ts';
import { AmountInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import type { Simulator } from './simulator.ts';

export interface FaucetRequest {
  readonly address: string;
  readonly asset: 'native' | 'USDC' | 'IDRT';
  /** Plain decimal text, in whole coins or tokens. */
  readonly amount: string;
  /** Under which it is given once, however often it is asked for. */
  readonly reference?: string;
}

/**
 * Gives test coins of one chain, and answers when the balance is there. Throws an AppError that says
 * what is wrong with the gift.
 */
export type FaucetReply = (
  request: FaucetRequest,
) => Promise<{ readonly tx_hash: string; readonly balance: string }>;

/** `POST /faucet {chain, address, asset, amount}` (decisions: The sandbox's controls). */
export const faucet = (taps: Readonly<Record<string, FaucetReply>>): Simulator => ({
  provider: 'faucet',
  prefix: '/faucet',
  controls(server) {
    faucetControl(server, taps);
  },
});

function faucetControl(server: FastifyInstance, taps: Readonly<Record<string, FaucetReply>>): void {
  const Wish = Type.Object({
    chain: oneOfWords(Object.keys(taps)),
    address: text(200),
    asset: oneOfWords(['native', 'USDC', 'IDRT'] as const),
    amount: AmountInput,
  });
  server.post<{ Body: Static<typeof Wish> }>(
    '/faucet',
    { schema: { body: Wish } },
    async ({ body: { chain, ...request } }) => inWireTerms(async () => taps[chain]?.(request)),
  );
}

/** The sandbox's own error handler reads `statusCode`, as Fastify's errors have it. */
export async function inWireTerms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw Object.assign(error, { statusCode: error.status });
    throw error;
  }
}
