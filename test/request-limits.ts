import type { RouteId } from '#kernel/http/declare/route.ts';

/** The limits of a request's statements; another statement is a decision, not an accident. */
export interface RequestLimit {
  readonly id: RouteId;
  readonly statements: number;
  /** Round trips in sequence, where some statements travel with another. */
  readonly trips?: number;
  /** With an `Idempotency-Key`. */
  readonly isKeyed?: boolean;
}

/** `queries.test.ts` checks them, and the bench shows them beside all other endpoints of a journey. */
export const REQUEST_LIMITS: readonly RequestLimit[] = [
  { id: 'GET /card-checkout/card/fee', statements: 0 },
  { id: 'GET /wallets/fiat/{user_id}', statements: 2 },
  { id: 'GET /users/users', statements: 3 },
  { id: 'GET /users/{user_id}', statements: 3 },
  { id: 'GET /card-checkout/card/history', statements: 3 },
  { id: 'GET /wallets/fiat/{wallet_id}/transactions', statements: 2 },
  // The last one emits: one statement for all events of a transaction.
  { id: 'POST /card-checkout/cardcc', trips: 3, statements: 4 },
  { id: 'POST /card-checkout/cardcc', trips: 5, statements: 6, isKeyed: true },
  { id: 'GET /sessions', statements: 2 },
  { id: 'GET /idrtoken/transactions/mint', statements: 3 },
  { id: 'GET /idrtoken/transactions/redeem', statements: 3 },
  { id: 'GET /idrtoken/banks/list', statements: 2 },
  { id: 'GET /2fa/status', statements: 2 },
  { id: 'GET /ekyc/status/{user_id}', statements: 3 },
  { id: 'POST /auth/login', trips: 3, statements: 4 },
  { id: 'POST /xusers/login', trips: 8, statements: 8 },
  { id: 'POST /clients/create_with_admin', trips: 10, statements: 10 },
];

/** The mover and the dispatcher send some of their own, and so does the allocation of number blocks. */
export const isOfRequest = (text: string): boolean =>
  !/events\.move|card_numbers|turn_jobs|job_schedules/.test(text);
