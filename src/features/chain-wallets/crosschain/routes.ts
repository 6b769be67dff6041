import { Type } from 'typebox';
import { isHex } from 'viem';
import { keySigner, type Signer } from '#chains/evm/port.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { type Envelope, errorEnvelope, flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  endpoints,
  type OperationName,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import {
  AmountInput,
  flat,
  IdInput,
  oneOfWords,
  Timestamp,
  text,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { burn } from './burn/effect.ts';
import { acceptReportedBurn, acceptReportedFailure } from './burn/reported.ts';
import type { CrosschainDeps } from './deps.ts';
import { type BeginDeps, initiate } from './initiate.ts';
import { mint } from './mint/effect.ts';
import { BurnCalls, CrosschainStep, crosschainStepOf, logOf, TransferLog } from './presenters.ts';
import { findCrosschainTransfer, type TransferSelector } from './read-store.ts';
import { logNotFound } from './states.ts';
import type { CrosschainTransfer } from './store.ts';

/** Of a transfer that is to begin. */
const BEGIN_ERRORS = [
  'ACCESS_DENIED',
  'USER_NOT_FOUND',
  'TOKEN_NOT_SUPPORTED',
  'AMOUNT_BELOW_MINIMUM',
  'PROVIDER_UNAVAILABLE',
  ...POLICY_ERRORS,
] as const;

/** Of a burn. */
const BURN_ERRORS = [
  'NOT_FOUND',
  'INVALID_STATUS',
  'CONFLICT',
  'NOT_READY',
  'WALLET_ACCESS_DENIED',
  'INSUFFICIENT_FUNDS',
  'PROVIDER_REJECTED',
  'PROVIDER_UNAVAILABLE',
] as const;

/** Of a step of a transfer that has begun. */
const STEP_ERRORS = [
  'ACCESS_DENIED',
  'NOT_FOUND',
  'INVALID_STATUS',
  'CONFLICT',
  'NOT_READY',
  'PROVIDER_REJECTED',
  'PROVIDER_UNAVAILABLE',
] as const;

/** Errors are `{error}`, successes say so (contract part 2, Cross-chain). */
const acting: Envelope = { ...errorEnvelope, success: flatEnvelope.success };
const action = endpoints(acting);

const Hash = Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' });
const Nonce = text(100);

/** Contract part 2, Cross-chain: the transfer from its beginning to its mint. */
export const crosschainActionRoutes = (deps: BeginDeps): Route[] => [
  ...beginRoutes(deps),
  ...stepRoutes(deps),
];

const beginRoutes = (deps: BeginDeps): Route[] => [
  action('POST /crosschain/initiate', {
    name: 'crosschain.initiate',
    creates: 'crosschain_transfer',
    movesMoney: true,
    example: { token: 'USDC' },
    auth: 'user',
    errors: BEGIN_ERRORS,
    summary: 'Begin a USDC transfer to another chain; it counts against the daily limit',
    body: Type.Object({
      user_id: IdInput,
      amount: AmountInput,
      from_chain: text(40),
      to_chain: text(40),
      token: text(20),
      recipient_address: text(100),
      return_address: Type.Optional(text(100)),
    }),
    reply: {
      200: flat({
        data: Type.Object({ ...TransferLog.properties, burn_calls: BurnCalls }),
        message: Type.String(),
      }),
    },
    async handler({ caller, body, db, operation, request }) {
      const row = await initiate(deps, { caller, request, operation, db }, body);
      const burn_calls = [...deps.bridgeRoutes[row.bridge_route].burnCalls(row)];
      return { data: { ...logOf(row), burn_calls }, message: 'Cross-chain transfer initiated' };
    },
  }),
];

interface Confirming {
  readonly id: 'PATCH /crosschain/confirm' | 'POST /crosschain/confirm';
  readonly name: OperationName;
  readonly summary: string;
}

/** The contract's endpoints have PATCH, its table of states POST: both do the same. */
const confirmRoute = (deps: CrosschainDeps, { id, name, summary }: Confirming): Route =>
  action(id, {
    name,
    summary,
    movesMoney: true,
    auth: 'user',
    errors: STEP_ERRORS,
    body: named('CrosschainReport', {
      log_id: Uuid,
      tx_hash: Hash,
      status: oneOfWords(['BURNED', 'FAILED'] as const),
    }),
    reply: { 200: flat({ data: CrosschainStep, message: Type.String() }) },
    async handler({ caller, body: { log_id, tx_hash, status }, db, operation, request }) {
      const transfer = await reached(db, caller, { log_id });
      const report = { hash: tx_hash, operation, asked: { caller, request } };
      const row =
        status === 'BURNED'
          ? await acceptReportedBurn(deps, transfer, { ...report, mode: 'confirm' })
          : await acceptReportedFailure(deps, transfer, report);
      return { data: crosschainStepOf(row, tx_hash), message: `Transfer is ${status}` };
    },
  });

const stepRoutes = (deps: CrosschainDeps): Route[] => [
  confirmRoute(deps, {
    id: 'PATCH /crosschain/confirm',
    name: 'crosschain.confirm',
    summary: 'Say that a transfer was burnt, with the hash, or that it failed',
  }),
  confirmRoute(deps, {
    id: 'POST /crosschain/confirm',
    name: 'crosschain.confirmByPost',
    summary: 'The same as `PATCH /crosschain/confirm`',
  }),

  action('POST /crosschain/mint', {
    name: 'crosschain.mint',
    movesMoney: true,
    auth: 'user',
    errors: STEP_ERRORS,
    summary: 'Mint on the destination chain what was burnt on the source chain, once',
    body: Type.Object({ nonce: Nonce }),
    reply: {
      200: flat({
        tx_hash: Type.String(),
        mint_tx_hash: Type.String(),
        log_id: Type.String(),
        nonce: Type.String(),
        status: Type.String(),
        data: Type.Object({
          log_id: Type.String(),
          status: Type.String(),
          mint_tx_hash: Type.String(),
          updated_at: Timestamp,
        }),
      }),
    },
    fault: 'Mint failed',
    async handler({ caller, body, db, operation, request }) {
      const asked = { caller, request };
      const row = await mint(deps, await reached(db, caller, body), { operation, asked });
      const { log_id, nonce, status, updated_at } = row;
      const mint_tx_hash = row.mint_tx_hash ?? '';
      const data = { log_id, status, mint_tx_hash, updated_at };
      return { tx_hash: mint_tx_hash, mint_tx_hash, log_id, nonce, status, data };
    },
  }),
];

/** Contract part 2, Cross-chain: burns that the service sends, and hashes of those that it did not. */
export const burnRoutes = (deps: CrosschainDeps): Route[] => [
  action('POST /crosschain/burn', {
    name: 'crosschain.burn',
    movesMoney: true,
    auth: 'user',
    errors: BURN_ERRORS,
    summary: "Burn from the user's managed wallet, or name the user's own burn",
    body: Type.Object({
      log_id: Uuid,
      nonce: Nonce,
      mode: Type.Optional(oneOfWords(['backend', 'external_wallet'] as const)),
      tx_hash: Type.Optional(Hash),
    }),
    reply: { 200: flat({ data: CrosschainStep }) },
    fault: 'Burn failed',
    async handler({ caller, body, db, operation, request }) {
      const { log_id, nonce, mode = 'backend', tx_hash } = body;
      const transfer = await reached(db, caller, { log_id, nonce });
      const asked = { caller, request };
      if (mode === 'backend') {
        const payers = await managedPayers(deps, caller, transfer);
        const row = await burn(deps, { log_id, operation, mode, payers, asked });
        return { data: crosschainStepOf(row) };
      }
      if (tx_hash === undefined) throw wrongField('tx_hash', 'is required in external_wallet mode');
      const report = { hash: tx_hash, mode, operation, asked };
      const row = await acceptReportedBurn(deps, transfer, report);
      return { data: crosschainStepOf(row) };
    },
  }),

  action('POST /crosschain/burn-frontend', {
    name: 'crosschain.burnWithKey',
    movesMoney: true,
    auth: 'user',
    errors: BURN_ERRORS,
    summary: 'Burn with a posted private key, which is used once and kept nowhere',
    body: Type.Object({ log_id: Uuid, nonce: Nonce, private_key: text(66, 64) }),
    reply: {
      200: flat({
        tx_hash: Type.String(),
        log_id: Type.String(),
        nonce: Type.String(),
        status: Type.String(),
        data: CrosschainStep,
      }),
    },
    fault: 'Burn failed',
    async handler({ caller, body, db, operation, request }) {
      const { log_id, nonce, private_key } = body;
      if (deps.config.BURN_WITH_PRIVATE_KEY === 'off')
        throw fail('FORBIDDEN', 'Burning with a private key is switched off');
      const signer = signerOf(private_key);
      await reached(db, caller, { log_id, nonce });
      const asked = { caller, request };
      const order = { log_id, operation, mode: 'frontend', payers: [signer], asked } as const;
      const row = await burn(deps, order);
      await payFee(deps, row, signer);
      const tx_hash = row.burn_tx_hash ?? '';
      return { tx_hash, log_id, nonce, status: row.status, data: crosschainStepOf(row) };
    },
  }),
];

async function reached(
  db: Db,
  caller: UserCaller,
  which: TransferSelector,
): Promise<CrosschainTransfer> {
  const transfer = await findCrosschainTransfer(db, which, tenantScopeOf(caller));
  if (transfer === undefined) throw logNotFound();
  return transfer;
}

/** Only the owner spends what is in a managed wallet; admins may look, and tell of burns. */
async function managedPayers(
  { config, signersOf }: CrosschainDeps,
  caller: UserCaller,
  { user_id, from_chain }: CrosschainTransfer,
): Promise<readonly Signer[]> {
  if (caller.user_id === user_id) return signersOf(user_id, from_chain);
  if (config.MOCK_MODE) return [];
  throw fail('WALLET_ACCESS_DENIED', 'Only its owner may burn from a managed wallet');
}

/** The error says nothing of what was sent. */
function signerOf(privateKey: string): Signer {
  const hex = privateKey.startsWith('0x') ? privateKey : `0x${privateKey}`;
  try {
    if (isHex(hex) && hex.length === 66) return keySigner(hex);
  } catch {
    // Zero, or beyond the curve's order.
  }
  throw wrongField('private_key', 'must be 64 hex digits of a valid secp256k1 key');
}

/** Now or never, since the key is not kept; a burn that was made stands without its fee too. */
async function payFee(
  { effects, fees, log }: CrosschainDeps,
  { log_id, fee_status, burn_from }: CrosschainTransfer,
  signer: Signer,
): Promise<void> {
  if (fee_status !== 'DUE' || burn_from !== signer.address) return;
  await effects.drive(fees, log_id, { secret: signer }).catch((error: unknown) => {
    log.warn({ err: error, crosschain_log: log_id }, 'A cross-chain fee was not paid yet');
  });
}
