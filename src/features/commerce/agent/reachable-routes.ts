import type { RouteId } from '#kernel/http/declare/route.ts';

/** All that the agent can do in a user's name, and nothing else. */
export const REACHABLE = {
  createWallet: 'POST /manual/wallets/crypto',
  addAddress: 'POST /manual/wallets/crypto/{bw_id}/address',
  balance: 'GET /wallets/{wallet_id}/balance',
  history: 'GET /transactions/{user_id}/history',
  importToken: 'POST /tokens/import',
  send: 'POST /onchain/execute',
  initiate: 'POST /crosschain/initiate',
  burn: 'POST /crosschain/burn',
  callOff: 'PATCH /crosschain/confirm',
  mint: 'POST /crosschain/mint',
  transferDetails: 'GET /crosschain/details/{log_id}',
} as const satisfies Readonly<Record<string, RouteId>>;
