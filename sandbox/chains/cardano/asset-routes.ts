import { blake2b } from '@noble/hashes/blake2.js';
import { bech32 } from '@scure/base';
import type { FastifyInstance } from 'fastify';
import type { World } from '#sandbox/simulator.ts';
import { BlockfrostPage, blockfrostPage, missing } from './answers.ts';

import { allOldestFirst, PROVIDER, type StoredAsset, type StoredMove } from './stored.ts';

type AssetCall = { Params: { asset: string }; Querystring: BlockfrostPage };

const POLICY_DIGITS = 56;

/** Blockfrost's assets. */
export function assetRoutes(server: FastifyInstance, { records }: World): void {
  const paged = { schema: { querystring: BlockfrostPage } };

  server.get<AssetCall>('/assets/:asset', async ({ params: { asset } }, reply) => {
    const found = await records.get<StoredAsset>(PROVIDER, 'asset', asset);
    if (!found) return missing(reply);
    const { quantity, times = 1, first } = found;
    return {
      asset,
      policy_id: asset.slice(0, POLICY_DIGITS),
      asset_name: asset.slice(POLICY_DIGITS),
      fingerprint: fingerprintOf(asset),
      quantity,
      initial_mint_tx_hash: first ?? (await moves(asset)).at(0)?.hash ?? '',
      mint_or_burn_count: times,
      onchain_metadata: null,
      metadata: null,
    };
  });
  server.get<AssetCall>('/assets/:asset/transactions', paged, async ({ params, query }, reply) => {
    const all = await moves(params.asset);
    if (all.length === 0) return missing(reply);
    return blockfrostPage(all, query).map(({ hash, index = 0, height, time }) => ({
      tx_hash: hash,
      tx_index: index,
      block_height: height,
      block_time: time,
    }));
  });
  server.get<AssetCall>('/assets/:asset/history', paged, async ({ params, query }, reply) => {
    const all = await moves(params.asset);
    if (all.length === 0) return missing(reply);
    const minted = all.filter((move) => move.minted !== undefined);
    return blockfrostPage(minted, query).map(({ hash, minted: amount = '0' }) => ({
      tx_hash: hash,
      action: amount.startsWith('-') ? 'burned' : 'minted',
      amount,
    }));
  });

  const moves = (asset: string) =>
    allOldestFirst<StoredMove>(records, {
      kind: 'move',
      where: { asset },
      idOf: ({ hash }) => `${asset} ${hash}`,
    });
}

const FINGERPRINT_BYTES = 20;

/** CIP-14: what people compare. */
function fingerprintOf(asset: string): string {
  const digest = blake2b(Buffer.from(asset, 'hex'), { dkLen: FINGERPRINT_BYTES });
  return bech32.encode('asset', bech32.toWords(digest));
}
