import { type Static, Type } from 'typebox';
import {
  type Address,
  encodePacked,
  type Hash,
  type Hex,
  isAddressEqual,
  keccak256,
  parseEventLogs,
  toHex,
} from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { prove } from '#chains/evm/contracts/port.ts';
import { CHAIN_KEYS, type EvmNetwork } from '#chains/evm/port.ts';
import { integerInput, oneOfWords } from '#kernel/http/declare/schema.ts';
import type { CctpChains } from '#providers/cctp/settings.ts';
import { attestable, messageTransmitterAbi, readMessage } from '#providers/cctp/wire.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import { type CctpHold, setCctpHold, takeCctpHold } from './simulated-holds.ts';

const Where = Type.Object({ domain: integerInput(0, 0xffff_ffff) });
const MessageSelector = Type.Object({
  transactionHash: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
});

/** The next so many answers about burns are pending, for that reason. */
const Holding = Type.Object(
  {
    answers: integerInput(0, 1_000_000),
    delay_reason: Type.Optional(
      oneOfWords([
        'insufficient_fee',
        'amount_above_max',
        'insufficient_allowance_available',
      ] as const),
    ),
  },
  { additionalProperties: false },
);

/** Everybody can make it: attestations of the sandbox are worth nothing anywhere else. */
const ATTESTER_KEY = keccak256(toHex('archipay sandbox cctp attester'));

/** Whom the transmitter contracts of a sandbox must trust. Worked out when asked for, as it is dear. */
export const sandboxAttester = (): Address => privateKeyToAccount(ATTESTER_KEY).address;

/** Circle's attestation service: reads the burns from the chains themselves, and signs them. */
export const cctpSimulator = (chains: CctpChains, evm: EvmNetwork): Simulator => ({
  provider: 'cctp',
  prefix: '/cctp',
  refusal: (code, _code, message) => ({ code, message }),
  controls(server, { records }) {
    server.post<{ Body: Static<typeof Holding> }>(
      '/cctp/holds',
      { schema: { body: Holding } },
      async ({ body }) => {
        await setCctpHold(records, body);
        return body;
      },
    );
  },
  wire(server, { records }) {
    server.get<{ Params: Static<typeof Where>; Querystring: Static<typeof MessageSelector> }>(
      '/v2/messages/:domain',
      { schema: { params: Where, querystring: MessageSelector } },
      async ({ params: { domain }, query: { transactionHash } }, reply) => {
        const messages = await messagesOf(chains, evm, domain, transactionHash as Hash);
        if (messages.length > 0) {
          const held = await takeCctpHold(records);
          return { messages: held ? messages.map(() => pending(held)) : messages };
        }
        return reply.code(404).send({ code: 404, message: 'Message not found' });
      },
    );
  },
});

/** As the service answers while a burn has too few blocks on it, or something keeps it from being signed. */
const pending = ({ delay_reason }: CctpHold) => ({
  message: '0x',
  eventNonce: '0x',
  attestation: 'PENDING',
  cctpVersion: 2,
  status: 'pending_confirmations',
  delayReason: delay_reason ?? null,
});

async function messagesOf(chains: CctpChains, evm: EvmNetwork, domain: number, hash: Hash) {
  const key = CHAIN_KEYS.find((name) => chains[name]?.domain === domain);
  const transmitter = key && chains[key]?.message_transmitter;
  if (key === undefined || transmitter === undefined) return [];
  const sent = await prove(evm.chains[key], hash, 1, (logs) =>
    parseEventLogs({ abi: messageTransmitterAbi, eventName: 'MessageSent', logs }).filter(
      ({ address }) => isAddressEqual(address, transmitter),
    ),
  );
  if ('disproof' in sent) return [];
  return Promise.all(sent.proven.map(({ args, logIndex }) => attest(args.message, hash, logIndex)));
}

/** The service chooses the nonce, the same one each time it is asked. */
async function attest(sent: Hex, hash: Hash, logIndex: number) {
  const nonce = keccak256(encodePacked(['bytes32', 'uint256'], [hash, BigInt(logIndex)]));
  const finality = readMessage(sent)?.minFinalityThreshold ?? 0;
  const message = attestable(sent, nonce, finality);
  const attestation = await sign({ hash: keccak256(message), privateKey: ATTESTER_KEY, to: 'hex' });
  return {
    message,
    eventNonce: nonce,
    attestation,
    cctpVersion: 2,
    status: 'complete',
    delayReason: null,
  };
}
