import { Type } from 'typebox';
import {
  type Address,
  concat,
  getAddress,
  type Hex,
  numberToHex,
  parseAbi,
  size,
  slice,
} from 'viem';

export const tokenMessengerAbi = parseAbi([
  'function depositForBurnWithHook(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold, bytes hookData)',
]);
export const messageTransmitterAbi = parseAbi([
  'function receiveMessage(bytes message, bytes attestation) returns (bool)',
  'function usedNonces(bytes32 nonce) view returns (uint256)',
  'event MessageSent(bytes message)',
]);

/** Answers of `GET /v2/messages/{domain}`; `attestation` is the word PENDING until the service has signed. */
export const WireMessages = Type.Object({
  messages: Type.Array(
    Type.Object({
      message: Type.String(),
      attestation: Type.Union([Type.String(), Type.Null()]),
      status: Type.String(),
      eventNonce: Type.Optional(Type.String()),
      cctpVersion: Type.Optional(Type.Integer()),
      delayReason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
});

/** Waits for the source chain's own finality, which costs nothing; 1000 would be the fast way. */
export const STANDARD_FINALITY = 2000;
const VERSION = 1;
/** The header, and the body without its hook. */
const HEADER = 148;
const BODY = 228;

/** The byte layout of a burn message of version 2. */
export interface BurnMessage {
  readonly sourceDomain: number;
  readonly destinationDomain: number;
  /** Zero until the attestation service has filled it in. */
  readonly nonce: Hex;
  readonly sender: Address;
  readonly recipient: Address;
  readonly destinationCaller: Address;
  readonly minFinalityThreshold: number;
  readonly finalityThresholdExecuted: number;
  readonly burnToken: Address;
  readonly mintRecipient: Address;
  readonly amount: bigint;
  readonly messageSender: Address;
  readonly maxFee: bigint;
  readonly feeExecuted: bigint;
  readonly expirationBlock: bigint;
  /** The burner's own data; the protocol itself ignores it. */
  readonly hookData: Hex;
}

/** Undefined for bytes that are no burn message of this version, or that name no EVM address. */
export function readMessage(message: Hex): BurnMessage | undefined {
  if (size(message) < HEADER + BODY) return undefined;
  const number = (at: number) => Number.parseInt(slice(message, at, at + 4).slice(2), 16);
  const big = (at: number) => BigInt(slice(message, at, at + 32));
  const word = (at: number) => slice(message, at, at + 32);
  if (number(0) !== VERSION || number(HEADER) !== VERSION) return undefined;
  const addresses = [44, 76, 108, HEADER + 4, HEADER + 36, HEADER + 100].map((at) =>
    addressIn(word(at)),
  );
  const [sender, recipient, destinationCaller, burnToken, mintRecipient, messageSender] = addresses;
  if (!sender || !recipient || !destinationCaller) return undefined;
  if (!burnToken || !mintRecipient || !messageSender) return undefined;
  return {
    sourceDomain: number(4),
    destinationDomain: number(8),
    nonce: word(12),
    sender,
    recipient,
    destinationCaller,
    minFinalityThreshold: number(140),
    finalityThresholdExecuted: number(144),
    burnToken,
    mintRecipient,
    amount: big(HEADER + 68),
    messageSender,
    maxFee: big(HEADER + 132),
    feeExecuted: big(HEADER + 164),
    expirationBlock: big(HEADER + 196),
    hookData: size(message) > HEADER + BODY ? slice(message, HEADER + BODY) : '0x',
  };
}

/** The fields that the attestation service adds to a message before it signs it. */
export const attestable = (message: Hex, nonce: Hex, finality: number): Hex =>
  concat([
    slice(message, 0, 12),
    nonce,
    slice(message, 44, 144),
    numberToHex(finality, { size: 4 }),
    slice(message, HEADER),
  ]);

function addressIn(word: Hex): Address | undefined {
  return /^0x0{24}/.test(word) ? getAddress(slice(word, 12)) : undefined;
}
