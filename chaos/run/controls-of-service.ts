import { spawn } from 'node:child_process';
import { CHAINS } from '#chains/evm/port.ts';
import type { Control } from './controls.ts';

/** A token appears without a send, or is missing. */
export const chainControls: readonly Control[] = [
  {
    name: 'minted',
    finds: 'wrong',
    where: /^chains$/,
    async spoil({ world: { people, sandbox } }) {
      const address = people[0]?.addresses.amoy;
      const body = { chain: 'amoy', address, asset: 'USDC', amount: '0.000001' };
      await sandbox('POST /faucet', { body });
    },
  },
  {
    name: 'burnt',
    finds: 'wrong',
    where: /^chains$/,
    async spoil({ world: { people, sandbox } }) {
      const body = { asset: 'USDC', from: people[2]?.addresses.sepolia, amount: '0.000001' };
      await sandbox('POST /chains/sepolia/burn', { body });
    },
  },
  {
    name: 'second-node',
    finds: 'second-node',
    where: /^neon$/,
    // Two that look like nodes to the check that counts them.
    async spoil({ world: { folder }, strays }) {
      const chain = ['--chain-id', `${CHAINS.neon.chainId}`];
      strays.push(strayProcess(folder, chain), strayProcess(folder, chain));
    },
  },
];

/** One that belongs to the folder and is never ended. */
function strayProcess(folder: string, args: readonly string[]): number {
  const wait = 'setTimeout(() => {}, 600_000)';
  const child = spawn(process.execPath, ['--eval', wait, '--', ...args, 'stray'], {
    env: { DATA_DIR: folder },
    stdio: 'ignore',
  });
  child.unref();
  return child.pid ?? 0;
}

/** The service's own records of its work. */
export const serviceControls: readonly Control[] = [
  {
    name: 'wallet-doubled',
    finds: 'doubled',
    where: /^wallets of user/,
    spoil: ({ sql }) =>
      sql(`insert into crypto_wallets (user_id, wallet_name, wallet_label)
           select user_id, wallet_name, wallet_label from crypto_wallets order by bw_id desc limit 1`),
  },
  {
    name: 'send-gone',
    finds: 'lost',
    where: /^sends of user/,
    spoil: ({ sql }) =>
      sql(`delete from onchain_transactions where id = (select max(id) from onchain_transactions)`),
  },
  {
    name: 'transfer-gone',
    finds: 'lost',
    where: /^transfers of user/,
    spoil: ({ sql }) =>
      sql(`delete from crosschain_transfers where serial = (
             select max(serial) from crosschain_transfers where status = 'MINTED')`),
  },
  {
    name: 'short-hold',
    finds: 'held',
    where: /^wallet /,
    spoil: ({ sql }) =>
      sql(`insert into wallet_holds
             (reference, chain_id, wallet_address, address_id, token_contract, units, gas)
           select 'control', chain_id, wallet_address, address_id, 'native', 1, 1
           from wallet_addresses limit 1`),
  },
  {
    name: 'fee-unpaid',
    finds: 'wrong',
    where: /^fee of /,
    spoil: ({ sql }) =>
      sql(`update onchain_sends set fee_status = 'UNPAID' where operation = (
             select operation from onchain_sends where fee_status = 'PAID' limit 1)`),
  },
  {
    name: 'message-gone',
    finds: 'lost',
    where: /^messages$/,
    spoil: ({ sql }) =>
      sql(`delete from sandbox.records where seq = (
             select max(seq) from sandbox.records
             where provider = 'messages' and data ->> 'channel' = 'push')`),
  },
  {
    name: 'dead-letter',
    finds: 'dead-letter',
    where: /^control$/,
    spoil: ({ sql }) =>
      sql(`insert into jobs (name, data, state, died_at) values ('control', '{}', 'dead', now())`),
  },
  {
    name: 'break',
    finds: 'break',
    where: /^SUPPLY of control$/,
    spoil: ({ sql }) =>
      sql(`insert into crosschain_breaks (kind, subject, details, found_at, last_at)
           values ('SUPPLY', 'control', '{}', now(), now())`),
  },
];
