import { Value } from 'typebox/value';
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  getAddress,
  type Hash,
  type Hex,
  isAddressEqual,
  isHex,
  type Log,
  pad,
  parseEventLogs,
  zeroAddress,
} from 'viem';
import {
  approveCall,
  bridgeNonce,
  type ContractCall,
  prove,
  searchLogs,
  type Witness,
} from '#chains/evm/contracts/port.ts';
import type { ChainKey } from '#chains/evm/port.ts';
import { callHttp, done, type Outcome, refused, unknown } from '#kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import { ATTESTATIONS } from './cctp-codes.ts';
import type { Cctp, CctpBurn } from './port.ts';
import type { CctpChain, CctpChains } from './settings.ts';
import {
  messageTransmitterAbi,
  readMessage,
  STANDARD_FINALITY,
  tokenMessengerAbi,
  WireMessages,
} from './wire.ts';

export interface CctpSettings {
  /** `https://iris-api-sandbox.circle.com`, or `https://iris-api.circle.com`. */
  url(): string;
  readonly chains: CctpChains;
  /** The only address that may mint our burns. */
  relayer(): Address;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 8000;

/** Speaks Circle's CCTP V2: its contracts, and its attestation service. */
export function cctp(settings: CctpSettings): Cctp {
  const { chains } = settings;
  return {
    joins: (from, to) => chains[from] !== undefined && chains[to] !== undefined,
    token: (chain) => getAddress(placed(chains, chain).usdc),
    burnCalls: (burn) => burnCalls(settings, burn),
    proveBurn: (chain, hash, burn, confirmations) =>
      prove(chain, hash, confirmations, (logs) => burnerIn(settings, logs, burn)),
    findBurn: (chain, burn, since) => findBurn(settings, chain, burn, since),
    proveMint: (chain, hash, burn) =>
      prove(chain, hash, 1, (logs) => mintIn(placed(chains, burn.to), logs, burn)),
    mintCall: (burn) => mintCall(settings, burn),
  };
}

function placed(chains: CctpChains, key: ChainKey): CctpChain {
  const chain = chains[key];
  if (chain === undefined) throw new Error(`${key} has no CCTP by configuration`);
  return chain;
}

/** Standard finality costs no fee, so the recipient gets exactly the burnt amount. */
function burnCalls({ chains, relayer }: CctpSettings, burn: CctpBurn): readonly ContractCall[] {
  const { usdc, token_messenger } = placed(chains, burn.from);
  const { domain } = placed(chains, burn.to);
  const deposit = encodeFunctionData({
    abi: tokenMessengerAbi,
    functionName: 'depositForBurnWithHook',
    args: [
      burn.units,
      domain,
      pad(burn.recipient),
      usdc,
      pad(relayer()),
      0n,
      STANDARD_FINALITY,
      bridgeNonce(burn.nonce),
    ],
  });
  return [
    approveCall(getAddress(usdc), getAddress(token_messenger), burn.units),
    { to: getAddress(token_messenger), data: deposit },
  ];
}

/** The burner, if exactly one message of the receipt names it: the attested message must be that one. */
function burnerIn(
  settings: CctpSettings,
  logs: Log[],
  burn: CctpBurn,
): { readonly from: Address } | undefined {
  const { message_transmitter } = placed(settings.chains, burn.from);
  const sent = parseEventLogs({ abi: messageTransmitterAbi, eventName: 'MessageSent', logs })
    .filter(({ address }) => isAddressEqual(address, message_transmitter))
    .map(({ args }) => args.message);
  const [message] = sent;
  if (message === undefined || sent.length !== 1) return undefined;
  const from = readMessage(message)?.messageSender;
  return from && isMessageOf(settings, message, burn) ? { from } : undefined;
}

/** Circle's contracts index no field of ours, so every message since then is read. */
const findBurn = (
  settings: CctpSettings,
  chain: Pick<Witness, 'client'>,
  burn: CctpBurn,
  since: Date,
): Promise<Hash | undefined> =>
  searchLogs(
    chain,
    {
      address: getAddress(placed(settings.chains, burn.from).message_transmitter),
      event: MESSAGE_SENT,
      since,
    },
    (logs) =>
      parseEventLogs({ abi: messageTransmitterAbi, eventName: 'MessageSent', logs }).find(
        ({ args }) => isMessageOf(settings, args.message, burn),
      )?.transactionHash ?? undefined,
  );

const MESSAGE_SENT = getAbiItem({ abi: messageTransmitterAbi, name: 'MessageSent' });

const mintIn = ({ usdc }: CctpChain, logs: Log[], { recipient, units }: CctpBurn) =>
  parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).find(
    ({ address, args: { from, to, value } }) =>
      isAddressEqual(address, usdc) &&
      isAddressEqual(from, zeroAddress) &&
      isAddressEqual(to, recipient) &&
      value === units,
  );

/** Whether a message moves exactly this burn, for only our relayer to mint. */
function isMessageOf({ chains, relayer }: CctpSettings, message: Hex, burn: CctpBurn): boolean {
  const source = placed(chains, burn.from);
  const read = readMessage(message);
  return (
    read !== undefined &&
    read.sourceDomain === source.domain &&
    read.destinationDomain === placed(chains, burn.to).domain &&
    isAddressEqual(read.sender, source.token_messenger) &&
    isAddressEqual(read.burnToken, source.usdc) &&
    isAddressEqual(read.mintRecipient, burn.recipient) &&
    isAddressEqual(read.destinationCaller, relayer()) &&
    read.amount === burn.units &&
    read.hookData === bridgeNonce(burn.nonce) &&
    read.feeExecuted === 0n
  );
}

async function mintCall(
  settings: CctpSettings,
  burn: CctpBurn & { readonly hash: Hash },
): Promise<Outcome<ContractCall | undefined>> {
  const attested = await findAttestation(settings, placed(settings.chains, burn.from), burn.hash);
  if (attested.kind !== 'done') return attested;
  if (attested.value === undefined) return done(undefined);
  const { message, attestation } = attested.value;
  if (!isMessageOf(settings, message, burn))
    return refused('OTHER_MESSAGE', 'What was attested is not the burn of this transfer');
  const { message_transmitter } = placed(settings.chains, burn.to);
  return done({
    to: getAddress(message_transmitter),
    data: encodeFunctionData({
      abi: messageTransmitterAbi,
      functionName: 'receiveMessage',
      args: [message, attestation],
    }),
  });
}

/** Undefined while the service has not seen the burn, or has not signed it. */
async function findAttestation(
  { url, timeoutMs = TIMEOUT_MS }: CctpSettings,
  { domain }: CctpChain,
  hash: Hash,
): Promise<Outcome<{ readonly message: Hex; readonly attestation: Hex } | undefined>> {
  const reply = await callHttp({
    name: 'cctp messages',
    method: 'GET',
    url: `${url()}/v2/messages/${domain}?transactionHash=${hash}`,
    timeoutMs,
  });
  if ('lost' in reply) return unknown(reply.lost);
  if (reply.status === 404) return done(undefined);
  // Too many requests, or a fault of its own: neither proves anything about the burn.
  if (reply.status === 429 || reply.status >= 500) return unknown(`status ${reply.status}`);
  if (reply.status !== 200) return refused('REFUSED', `Status ${reply.status}`, reply.status);
  if (!Value.Check(WireMessages, reply.json)) return unknown('an answer of another shape');
  const [first, ...others] = reply.json.messages;
  if (first === undefined) return done(undefined);
  if (others.length > 0) return refused('AMBIGUOUS', 'The burn sent more than one message');
  const { status, message, attestation } = first;
  // While it is pending the fields hold words instead of bytes.
  if (meaningOf(ATTESTATIONS, status) !== 'done' || !isHex(attestation) || !isHex(message))
    return done(undefined);
  return done({ message, attestation });
}
