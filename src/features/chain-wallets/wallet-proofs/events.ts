import { Type } from 'typebox';
import { exampleChain } from '#chains/evm/port.ts';
import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, Timestamp } from '#kernel/http/declare/schema.ts';
import type { ProvenWallet } from './store.ts';

/** A wallet outside that a signature has proven to be its user's. */
export const ProvenWalletBody = named('ProvenWallet', {
  proof_id: Id,
  user_id: Id,
  chain_id: Type.String(),
  reach: Type.String(),
  wallet_address: Type.String(),
  proven_at: Timestamp,
});

const proof = defineEvents(
  'wallet_proof',
  {
    schema: ProvenWalletBody,
    since: '2026-11',
    example: {
      proof_id: 7,
      user_id: 3,
      chain_id: exampleChain().key,
      reach: 'evm',
      wallet_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      proven_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    proven: 'A signature has proven that a wallet is its user’s',
    removed: 'A user has removed a proven wallet; the data shows it as it was',
    superseded: 'The wallet’s key has signed for another user; the data shows it as it was',
  },
);

export const WALLET_PROOF_EVENTS = Object.values(proof);

/** In the transaction in which it becomes so. */
export async function emitProof(
  tx: Db,
  what: keyof typeof proof,
  data: ProvenWallet,
): Promise<void> {
  const { user_id, proof_id: id } = data;
  emit(tx, proof[what], { client_id: await clientOfUser(tx, user_id), user_id, id, data });
}
