import { randomBytes, randomUUID } from 'node:crypto';
import { CHAINS, isChainKey, signInMessage, typedEvmAddress } from '#chains/evm/port.ts';
import { isXrplAddress } from '#chains/xrpl/port.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { perHour } from '#kernel/quota/quota.ts';
import type { WalletProofDeps } from './deps.ts';
import { insertWalletChallenge, type ProofChain, type WalletChallenge } from './store.ts';

const VALID_MINUTES = 10;
const CHALLENGES = { name: 'challenges', limits: perHour(30, 300) };

export interface ChallengeInput {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly chain_id: ProofChain;
  readonly wallet_address: string;
}

/**
 * A text for the wallet's key to sign, valid once and for ten minutes; in the caller's transaction. Throws
 * INVALID_WALLET_FORMAT, and RATE_LIMITED after 30 in an hour.
 */
export async function issueChallenge(
  deps: WalletProofDeps,
  tx: Db,
  asked: ChallengeInput,
): Promise<WalletChallenge> {
  const { chain_id, caller, request } = asked;
  const wallet_address = await addressOn(deps, chain_id, asked.wallet_address);
  await deps.quotas.spend(tx, CHALLENGES, requesterOf(caller, request));
  const now = deps.clock.now();
  const challenge_id = randomUUID();
  const expiresAt = new Date(now.getTime() + VALID_MINUTES * 60_000);
  const text = {
    address: wallet_address,
    publicUrl: deps.publicUrl(),
    statement: statementFor(caller),
    requestId: challenge_id,
    issuedAt: now,
    expiresAt,
  };
  const challenge = {
    challenge_id,
    chain_id,
    wallet_address,
    user_id: caller.user_id,
    client_id: caller.client_id,
    message: messageOn(chain_id, text),
    expires_at: expiresAt.toISOString(),
  };
  await insertWalletChallenge(tx, challenge);
  return challenge;
}

/** The account is named, so that a person does not sign for another's. */
const statementFor = ({ user_id, client_id }: UserCaller): string =>
  `I say that this wallet is mine, to account ${user_id} of client ${client_id}. This moves no money and permits no payment.`;

async function addressOn(
  { config, cardano }: WalletProofDeps,
  chain_id: ProofChain,
  text: string,
): Promise<string> {
  if (chain_id === 'xrpl') return isXrplAddress(text) ? text : refuseAddress('a classic address');
  if (chain_id === 'cardano')
    return (await cardano.typedAddress(text)) ?? refuseAddress('an address of the test network');
  return typedEvmAddress(text, config) ?? refuseAddress('a 0x address with a valid checksum');
}

function refuseAddress(wanted: string): never {
  throw fail('INVALID_WALLET_FORMAT', `wallet_address is not ${wanted}`);
}

type Text = Omit<Parameters<typeof signInMessage>[1], 'address'> & { readonly address: string };

/** EIP-4361 on the EVM chains; on the others the same lines, which no standard has for them. */
function messageOn(chain_id: ProofChain, text: Text): string {
  if (isChainKey(chain_id))
    return signInMessage({ info: CHAINS[chain_id] }, { ...text, address: evm(text.address) });
  return [
    `${new URL(text.publicUrl).host} wants you to sign in with your ${NAMES[chain_id]} account:`,
    text.address,
    '',
    text.statement,
    '',
    `URI: ${text.publicUrl}`,
    'Version: 1',
    `Chain ID: ${chain_id}`,
    `Nonce: ${randomBytes(16).toString('hex')}`,
    `Issued At: ${text.issuedAt.toISOString()}`,
    `Expiration Time: ${text.expiresAt.toISOString()}`,
    `Request ID: ${text.requestId}`,
  ].join('\n');
}

const NAMES = { xrpl: 'XRP Ledger', cardano: 'Cardano' } as const;

const evm = (address: string) => address as `0x${string}`;
