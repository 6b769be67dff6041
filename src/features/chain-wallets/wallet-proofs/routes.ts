import { Type } from 'typebox';
import { exampleChain } from '#chains/evm/port.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  oneOfWords,
  stamped,
  Timestamp,
  text,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { issueChallenge } from './challenge.ts';
import type { WalletProofDeps } from './deps.ts';
import { ProvenWalletBody } from './events.ts';
import { proveWallet, removeProof } from './prove.ts';
import { listProofs, PROOF_CHAINS } from './store.ts';

const endpoint = endpoints(codedEnvelope);

/** A contract's signature and a wallet's COSE_Sign1 carry more than the signature itself. */
const SIGNATURE_MAX = 10_000;

const HOW = [
  'A wallet is proven in two steps. `POST /wallet-proofs/challenges` answers a `message`, which is valid once and for ten minutes.',
  'The wallet signs it as it is, byte for byte, and `POST /wallet-proofs` takes the signature:',
  '',
  '- EVM chains: the message of EIP-4361, signed by `personal_sign` (EIP-191). The signature of a key holds on all EVM chains; that of a contract (EIP-1271, EIP-6492) on its own.',
  '- XRP Ledger: the signature of the UTF-8 bytes by the account’s own key, unless it is disabled, or by its regular key; with `public_key`.',
  '- Cardano: the answer of `signData` (CIP-30): `signature` and, as `public_key`, its `key`. The payment key of an address of the test network must have signed.',
  '',
  '```sh',
  'curl -X POST $URL/api/wallet-proofs/challenges -H "x-api-key: $KEY" -H "Authorization: Bearer $TOKEN" \\',
  `  -H "content-type: application/json" -d '{"chain_id":"${exampleChain().key}","wallet_address":"0x7099…79C8"}'`,
  'SIGNATURE=$(cast wallet sign --private-key $PRIVATE_KEY "$MESSAGE")',
  'curl -X POST $URL/api/wallet-proofs -H "x-api-key: $KEY" -H "Authorization: Bearer $TOKEN" \\',
  '  -H "content-type: application/json" -d "{\\"challenge_id\\":\\"$ID\\",\\"signature\\":\\"$SIGNATURE\\"}"',
  '```',
].join('\n');

/** Wallets of a user's own, proven by a signature. */
export const walletProofRoutes = (deps: WalletProofDeps): Route[] => [
  challengeRoute(deps),
  proofRoute(deps),
  listRoute(),
  removalRoute(deps),
];

const challengeRoute = (deps: WalletProofDeps): Route =>
  endpoint('POST /wallet-proofs/challenges', {
    name: 'walletProofs.challenge',
    auth: 'user',
    errors: ['INVALID_WALLET_FORMAT', 'RATE_LIMITED'],
    summary: 'Gives a text for a wallet of one’s own to sign; it is valid once and for ten minutes',
    description: HOW,
    body: Type.Object({ chain_id: oneOfWords(PROOF_CHAINS), wallet_address: text(150) }),
    reply: {
      200: stamped({
        data: Type.Object({
          challenge_id: Uuid,
          chain_id: Type.String(),
          wallet_address: Type.String(),
          message: Type.String(),
          expires_at: Timestamp,
        }),
      }),
    },
    fault: 'Failed to issue a challenge',
    atomic: true,
    handler: async ({ caller, request, body, db }) => ({
      data: await issueChallenge(deps, db, { caller, request, ...body }),
    }),
  });

const proofRoute = (deps: WalletProofDeps): Route =>
  endpoint('POST /wallet-proofs', {
    name: 'walletProofs.prove',
    creates: { kind: 'wallet_proof', object: 'wallet_proof', on: 'proven' },
    auth: 'user',
    errors: [
      'NOT_FOUND',
      '400 INVALID_SIGNATURE',
      'CONFLICT',
      'LIMIT_EXCEEDED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Proves by the signature of a challenge that a wallet is the caller’s',
    description: [
      'The challenge is used up, also by a wrong signature. A wallet is one user’s at a time: who signs last holds its key, and a former owner',
      'gets the event `wallet_proof.superseded` and a mail. The wallet then counts as the caller’s for `POST /idrtoken/offramp/initiate`,',
      'for refunds of minted tokens and for `POST /marketplace/orders`.',
      '',
      HOW,
    ].join('\n'),
    body: Type.Object({
      challenge_id: Uuid,
      signature: explained(text(SIGNATURE_MAX), 'Hexadecimal; with 0x on the EVM chains'),
      public_key: Type.Optional(
        explained(text(500), 'Hexadecimal; needed on the XRP Ledger and Cardano'),
      ),
    }),
    reply: { 200: stamped({ message: Type.String(), data: ProvenWalletBody }) },
    fault: 'Failed to prove the wallet',
    handler: async ({ caller, request, body }) => ({
      message: 'Wallet proven',
      data: await proveWallet(deps, { caller, request, ...body }),
    }),
  });

const listRoute = (): Route =>
  endpoint('GET /wallet-proofs', {
    name: 'walletProofs.list',
    auth: 'user',
    summary: 'The caller’s proven wallets, newest first; there are at most 20',
    reply: { 200: stamped({ data: Type.Array(ProvenWalletBody) }) },
    fault: 'Failed to list proven wallets',
    handler: async ({ caller, db }) => ({ data: await listProofs(db, caller.user_id) }),
  });

const removalRoute = (deps: WalletProofDeps): Route =>
  endpoint('DELETE /wallet-proofs/{proof_id}', {
    name: 'walletProofs.remove',
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary: 'Removes one of the caller’s proven wallets, which then counts as no user’s',
    params: Type.Object({ proof_id: IdInput }),
    reply: { 200: stamped({ message: Type.String(), data: ProvenWalletBody }) },
    fault: 'Failed to remove the proven wallet',
    atomic: true,
    async handler({ caller, request, params: { proof_id }, db }) {
      const data = await removeProof(deps, db, { caller, request, proof_id });
      return { message: 'Proven wallet removed', data };
    },
  });
