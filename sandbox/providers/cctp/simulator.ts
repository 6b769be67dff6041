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
import { integerInput } from '#kernel/http/declare/schema.ts';
import type { CctpChains } from '#providers/cctp/settings.ts';
import { attestable, messageTransmitterAbi, readMessage } from '#providers/cctp/wire.ts';
import type { Simulator } from '#sandbox/simulator.ts';

const Where = Type.Object({ domain: integerInput(0, 0xffff_ffff) });
const MessageSelector = Type.Object({
  transactionHash: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
});

/** Everybody can make it: attestations of the sandbox are worth nothing anywhere else. */
const ATTESTER_KEY = keccak256(toHex('archipay sandbox cctp attester'));

/** Whom the transmitter contracts of a sandbox must trust. Worked out when asked for, as it is dear. */
export const sandboxAttester = (): Address => privateKeyToAccount(ATTESTER_KEY).address;

/** Circle's attestation service: reads the burns from the chains themselves, and signs them. */
export const cctpSimulator = (chains: CctpChains, evm: EvmNetwork): Simulator => ({
  provider: 'cctp',
  prefix: '/cctp',
  refusal: (code, _code, message) => ({ code, message }),
  wire(server) {
    server.get<{ Params: Static<typeof Where>; Querystring: Static<typeof MessageSelector> }>(
      '/v2/messages/:domain',
      { schema: { params: Where, querystring: MessageSelector } },
      async ({ params: { domain }, query: { transactionHash } }, reply) => {
        const messages = await messagesOf(chains, evm, domain, transactionHash as Hash);
        if (messages.length > 0) return { messages };
        return reply.code(404).send({ code: 404, message: 'Message not found' });
      },
    );
  },
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
