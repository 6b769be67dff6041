import { Buffer } from 'node:buffer';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { callHttp, done } from '../../kernel/provider-call.ts';
import { APPROVED } from './action-codes.ts';
import { type Card, type CardData, openCard } from './card.ts';
import { type Certificate, certified } from './channel.ts';
import { encrypted, type MessageKeys } from './encryption.ts';
import { foundOf, QUERY_FIELDS } from './look-up.ts';
import { MERCHANT, terminalIdOf } from './merchant.ts';
import type { CardNetwork, CardNetworkCharge, Merchant, Push, Reversal, Trace } from './port.ts';
import { CLEARING, clearingOf, clearingQuery } from './statement.ts';
import {
  amountFields,
  answerOf,
  auditNumber,
  cardNetworkMovementOf,
  dateTime,
  declined,
  ValidationReply,
} from './wire.ts';

export interface CardNetworkSettings {
  /** Empty if none is configured, which counts as unreachable. */
  url(): string;
  readonly user: string;
  readonly password: string;
  /** The six digits under which the network knows us. */
  readonly acquiringBin: string;
  readonly certificate?: Certificate;
  /** With these, bodies are encrypted, too. */
  readonly messageKeys?: MessageKeys;
  readonly merchant?: Merchant;
  readonly timeoutMs?: number;
}

type CardConfig = Pick<
  Config,
  | 'CARD_NETWORK_USER'
  | 'CARD_NETWORK_PASSWORD'
  | 'CARD_NETWORK_CERT_FILE'
  | 'CARD_NETWORK_KEY_FILE'
  | 'CARD_NETWORK_MLE_KEY_ID'
  | 'CARD_NETWORK_MLE_CERT_FILE'
  | 'CARD_NETWORK_MLE_KEY_FILE'
  | 'CARD_ACQUIRING_BIN'
>;

/** Throws if only a part of the client certificate or of the message keys is configured. */
export function cardSettings(config: CardConfig, url: () => string): CardNetworkSettings {
  const { CARD_NETWORK_CERT_FILE: certFile, CARD_NETWORK_KEY_FILE: keyFile } = config;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new Error('CARD_NETWORK_CERT_FILE and CARD_NETWORK_KEY_FILE are set together');
  }
  return {
    url,
    user: config.CARD_NETWORK_USER,
    password: config.CARD_NETWORK_PASSWORD,
    acquiringBin: config.CARD_ACQUIRING_BIN,
    ...(certFile && keyFile ? { certificate: { certFile, keyFile } } : {}),
    ...messageKeysOf(config),
  };
}

function messageKeysOf(config: CardConfig): { messageKeys?: MessageKeys } {
  const {
    CARD_NETWORK_MLE_KEY_ID: keyId,
    CARD_NETWORK_MLE_CERT_FILE: networkCertFile,
    CARD_NETWORK_MLE_KEY_FILE: keyFile,
  } = config;
  if (keyId && networkCertFile && keyFile)
    return { messageKeys: { keyId, networkCertFile, keyFile } };
  if (keyId ?? networkCertFile ?? keyFile)
    throw new Error('CARD_NETWORK_MLE_KEY_ID, _CERT_FILE and _KEY_FILE are set together');
  return {};
}

/** ISO 3166-1 number of the country we acquire in. */
const ACQUIRER_COUNTRY = '840';
const ACCOUNT_TO_ACCOUNT = 'AA';
const DISBURSEMENT = 'FD';
/** We pay out from a deposit account. */
const SOURCE_OF_FUNDS = '02';
/** No reason to decline: an issuer's approval of a query about a card. */
const NO_REASON = '85';
const FUNDS = '/visadirect/fundstransfer/v1';
/** The network waits 30 s for an issuer and answers 202 then; what is given up before that is unknown for nothing. */
const ISSUER_MS = 35_000;
/** For what moves nothing. */
const ANSWER_MS = 10_000;

/** The card network over its HTTP API: PAV for validation, Visa Direct for money. */
export function cardNetwork(settings: CardNetworkSettings): CardNetwork {
  const { merchant = MERCHANT, acquiringBin } = settings;
  const named = namer(acquiringBin, merchant);
  const send = sender(settings);
  const move = mover(send);

  return {
    async validate({ trace, card }) {
      const question = { ...named(trace), ...askedOf(card) };
      const reply = await send('validate', 'POST', '/pav/v1/cardvalidation', { body: question });
      return answerOf(reply, ValidationReply, ({ actionCode, cvv2ResultCode }) =>
        actionCode === NO_REASON || actionCode === APPROVED
          ? done({ cvv: CVV_RESULTS[cvv2ResultCode ?? ''] ?? 'unchecked', merchant })
          : declined(actionCode),
      );
    },

    async pull(charge) {
      const ours = { ...named(charge.trace), ...senderOf(charge) };
      const body = { ...ours, businessApplicationId: ACCOUNT_TO_ACCOUNT };
      return move('pull', `${FUNDS}/pullfundstransactions`, body);
    },

    async push(payout) {
      const ours = { ...named(payout.trace), ...payoutOf(merchant, payout) };
      const body = { ...ours, businessApplicationId: DISBURSEMENT };
      return move('push', `${FUNDS}/pushfundstransactions`, body);
    },

    async reverse({ original, ...charge }) {
      return move('reverse', `${FUNDS}/reversefundstransactions`, {
        ...named(charge.trace),
        ...senderOf(charge),
        transactionIdentifier: original.transactionIdentifier,
        originalDataElements: elementsOf(original, acquiringBin),
      });
    },

    async find(trace, transactionIdentifier) {
      const query = new URLSearchParams({
        acquiringBIN: acquiringBin,
        ...wantedOf(merchant, trace, transactionIdentifier),
        fields: QUERY_FIELDS,
      });
      const reply = await send('find', 'GET', `/visadirect/v1/transactionquery?${query}`);
      return foundOf(reply, trace, merchant);
    },
    statement: statement(send, settings, merchant),
  };
}

const Accepted = Type.Object({ statusIdentifier: Type.String({ pattern: '^[\\w.-]{1,100}$' }) });

/**
 * A call that moves money. A 202 names where its answer will be for 24 hours; what is not there yet stays unknown, and a
 * look-up by our own reference finds it later.
 */
const mover =
  (send: ReturnType<typeof sender>) => async (name: string, path: string, body: object) => {
    const reply = await send(name, 'POST', path, { body, waitMs: ISSUER_MS });
    if ('lost' in reply || reply.status !== 202 || !Value.Check(Accepted, reply.json))
      return cardNetworkMovementOf(reply);
    const late = await send(`${name} status`, 'GET', `${path}/${reply.json.statusIdentifier}`);
    const isAnswered = !('lost' in late) && late.status === 200;
    return cardNetworkMovementOf(isAnswered ? late : reply);
  };

const CVV_RESULTS: Readonly<Record<string, 'match' | 'mismatch'>> = { M: 'match', N: 'mismatch' };

const statement =
  (
    send: ReturnType<typeof sender>,
    { acquiringBin: acquiringBIN }: CardNetworkSettings,
    merchant: Merchant,
  ): CardNetwork['statement'] =>
  async (window, after) => {
    const query = new URLSearchParams({ acquiringBIN, ...clearingQuery(window, after) });
    return clearingOf(await send('statement', 'GET', `${CLEARING}?${query}`), merchant);
  };

/** The fields of every call about itself and about us. */
function namer(acquiringBin: string, merchant: Merchant) {
  const acceptor = acceptorOf(merchant);
  return (trace: Trace) => ({
    systemsTraceAuditNumber: auditNumber(trace),
    retrievalReferenceNumber: trace.rrn,
    acquiringBin,
    acquirerCountryCode: ACQUIRER_COUNTRY,
    cardAcceptor: { ...acceptor, terminalId: terminalIdOf(merchant, trace.terminal) },
  });
}

function askedOf(card: Card) {
  const { number, expiry, cvv } = withExpiry(card);
  return {
    primaryAccountNumber: number,
    cardExpiryDate: expiry,
    ...(cvv === undefined ? {} : { cardCvv2Value: cvv }),
  };
}

/** Sender, recipient and amount of a pay-out. */
function payoutOf({ idCode, name }: Merchant, { trace, card, money, ...payout }: Push) {
  const { amount, currency } = amountFields(money);
  return {
    localTransactionDateTime: dateTime(trace.at),
    senderAccountNumber: idCode,
    senderName: name,
    senderReference: payout.reference.slice(-16),
    sourceOfFundsCode: SOURCE_OF_FUNDS,
    recipientPrimaryAccountNumber: openCard(card).number,
    recipientName: payout.recipientName.slice(0, 30),
    transactionCurrencyCode: currency,
    amount,
  };
}

const elementsOf = (original: Reversal['original'], acquiringBin: string) => ({
  systemsTraceAuditNumber: auditNumber(original.trace),
  transmissionDateTime: original.transmittedAt,
  acquiringBin,
  approvalCode: original.approvalCode,
});

/** The transaction by the network's own id, if that is known. */
const wantedOf = (merchant: Merchant, trace: Trace, transactionIdentifier: string | undefined) =>
  transactionIdentifier === undefined
    ? {
        rrn: trace.rrn,
        stan: auditNumber(trace),
        terminalId: terminalIdOf(merchant, trace.terminal),
      }
    : { transactionIdentifier };

/** The fields about card and money that a pull and its reversal share. */
function senderOf({ trace, card, money }: CardNetworkCharge) {
  const { number, expiry } = openCard(card);
  const { amount, currency } = amountFields(money);
  return {
    localTransactionDateTime: dateTime(trace.at),
    senderPrimaryAccountNumber: number,
    ...(expiry !== undefined && { senderCardExpiryDate: expiry }),
    senderCurrencyCode: currency,
    amount,
  };
}

function withExpiry(card: Card): CardData & { readonly expiry: string } {
  const { expiry, ...data } = openCard(card);
  if (expiry === undefined) throw new Error('A card without its expiry cannot be looked up');
  return { ...data, expiry };
}

function acceptorOf({ name, idCode, address }: Merchant) {
  const { city, state, postalCode, country } = address;
  return { name, idCode, address: { city, state, country, zipCode: postalCode } };
}

function sender(settings: CardNetworkSettings) {
  const { url, user, password, certificate, messageKeys, timeoutMs } = settings;
  const plain = certificate === undefined ? callHttp : certified(certificate);
  const call = messageKeys === undefined ? plain : encrypted(plain, messageKeys);
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return async (
    name: string,
    method: 'GET' | 'POST',
    path: string,
    { body, waitMs = ANSWER_MS }: { readonly body?: object; readonly waitMs?: number } = {},
  ) => {
    const base = url();
    if (base === '') return { lost: 'ENOTFOUND' };
    return call({
      name: `card-network ${name}`,
      method,
      url: `${base}${path}`,
      headers: { authorization },
      ...(body === undefined ? {} : { body }),
      timeoutMs: timeoutMs ?? waitMs,
    });
  };
}
