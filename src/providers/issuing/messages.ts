import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { money, SCALE, toWire } from '../../kernel/money/money.ts';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import { sameSecret } from '../../kernel/secrets/token.ts';
import type { IssuingCall } from './call.ts';
import { twoLetterCountry } from './countries.ts';
import {
  DECLINE_WORDS,
  FUNDING_KINDS,
  IssuingPage,
  IssuingTransaction,
  NEWS_KINDS,
  OTHER_DECLINE,
  SINGLE_MESSAGES,
} from './message-wire.ts';
import {
  type CardMessage,
  type CardMessages,
  type CardNews,
  type FundingAnswer,
  type FundingReply,
  type FundingRequest,
  ISSUING_CURRENCIES,
} from './port.ts';

export interface MessageSettings {
  /** What the processor proves itself by. */
  readonly user: string;
  readonly password: string;
  /** Signs its calls beside that, where it is set. */
  readonly secret: string | undefined;
}

/** The calls of Marqeta to its program's gateway, and the transactions that its webhooks are about. */
export function cardMessages(settings: MessageSettings, call: IssuingCall): CardMessages {
  return {
    isGenuine: (raw, headers) => isGenuine(settings, raw, headers),
    readFunding,
    answerFunding,
    refuseFunding,
    readNotification,
    findMessage: (token) => findMessage(call, token),
    messagesBetween: (window, after) => messagesBetween(call, window, after),
  };
}

function isGenuine(
  { user, password, secret }: MessageSettings,
  raw: Uint8Array,
  headers: IncomingHttpHeaders,
): boolean {
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const isKnown = password !== '' && sameSecret(headers.authorization ?? '', basic);
  if (secret === undefined) return isKnown;
  const signature = createHmac('sha256', secret).update(raw).digest('hex');
  const sent = headers['x-marqeta-signature'];
  return sameSecret(typeof sent === 'string' ? sent.toLowerCase() : '', signature) && isKnown;
}

function parsed(raw: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(raw).toString('utf8'));
  } catch {
    return undefined;
  }
}

const fundingOf = ({ gpa_order, gpa_order_unload }: IssuingTransaction) =>
  gpa_order?.jit_funding ?? gpa_order_unload?.jit_funding;

const isSet = (flag: boolean | string | null | undefined): boolean =>
  flag === true || flag === 'true' || flag === '1';

function readFunding(raw: Uint8Array): FundingRequest | undefined {
  const one = parsed(raw);
  if (!Value.Check(IssuingTransaction, one)) return undefined;
  const funding = fundingOf(one);
  const kind = funding && FUNDING_KINDS[funding.method];
  if (funding === undefined || kind === undefined || funding.amount !== one.amount)
    return undefined;
  const message = messageOf(one, kind === 'authorization' ? '' : undefined);
  if (message === undefined || (kind === 'authorization' && message.units === 0n)) return undefined;
  return {
    ...message,
    kind,
    userToken: one.user_token,
    isOnline: one.pos?.card_presence != null && !isSet(one.pos.card_presence),
    mayBePartial: isSet(one.pos?.partial_approval_capable),
    isWrongCode: one.card_security_code_verification?.response?.code === '0001',
    funding,
  };
}

/** Undefined where its amount or currency is none that we know. */
function messageOf(one: IssuingTransaction, sequence: string | undefined): CardMessage | undefined {
  const currency = ISSUING_CURRENCIES.find((known) => known === one.currency_code);
  const units = currency && unitsOf(one.amount, currency);
  if (currency === undefined || units === undefined) return undefined;
  const { card_acceptor: shop, currency_conversion: conversion } = one;
  const country = shop?.country_code ?? shop?.country;
  const foreign = conversion?.network;
  return {
    token: one.token,
    follows: one.preceding_related_transaction_token ?? undefined,
    networkReference: one.network_reference_id ?? undefined,
    sequence: sequence ?? one.clearing_record_sequence_number ?? one.token,
    cardToken: one.card_token,
    units,
    currency,
    merchant: {
      id: shop?.mid ?? undefined,
      name: shop?.name?.trim() || 'A shop',
      mcc: /^\d{4}$/.test(shop?.mcc ?? '') ? (shop?.mcc ?? undefined) : undefined,
      city: shop?.city ?? undefined,
      country: country ? twoLetterCountry(country) : undefined,
    },
    foreign:
      foreign && foreign.original_currency_code !== currency
        ? { amount: String(foreign.original_amount), currency: foreign.original_currency_code }
        : undefined,
    at: timeOf(one.created_time),
  };
}

function timeOf(text: string | null | undefined): Date | undefined {
  const at = new Date(text ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

const AMOUNT_MAX = 1e13;

/** Undefined for a number with more digits than the currency has. */
function unitsOf(
  amount: number,
  currency: (typeof ISSUING_CURRENCIES)[number],
): bigint | undefined {
  const text = amount < AMOUNT_MAX ? amount.toFixed(SCALE[currency]) : 'NaN';
  return Number(text) === amount ? money(currency, text).units : undefined;
}

const amountOf = (units: bigint, { currency }: CardMessage): number =>
  toWire({ asset: currency, units });

function answerFunding(request: FundingRequest, answer: FundingAnswer): FundingReply {
  const { token, method, amount } = request.funding;
  const echo = { token, method, user_token: request.userToken };
  if (!answer.approve)
    return {
      status: 402,
      body: {
        jit_funding: {
          ...echo,
          amount,
          decline_reason: DECLINE_WORDS[answer.reason] ?? OTHER_DECLINE,
        },
      },
    };
  const { currency } = request;
  const left = answer.available;
  const balances = left !== undefined && {
    balances: {
      [currency]: { currency_code: currency, available_balance: amountOf(left, request) },
    },
  };
  return {
    status: 200,
    body: { jit_funding: { ...echo, amount: amountOf(answer.units, request), ...balances } },
  };
}

function refuseFunding(raw: Uint8Array): FundingReply {
  const one = parsed(raw);
  const funding = Value.Check(IssuingTransaction, one) ? fundingOf(one) : undefined;
  return { status: 402, body: { jit_funding: { ...funding, decline_reason: OTHER_DECLINE } } };
}

const Notification = Type.Object({
  transactions: Type.Array(
    Type.Object({
      token: Type.String({ minLength: 1, maxLength: 64 }),
      state: Type.String({ maxLength: 30 }),
    }),
    { maxItems: 100 },
  ),
});

function readNotification(raw: Uint8Array) {
  const news = parsed(raw);
  return Value.Check(Notification, news) ? news.transactions : [];
}

const REPLACEMENT = 'authorization.advice';

function newsOf(one: unknown): CardNews | undefined {
  if (!Value.Check(IssuingTransaction, one)) return undefined;
  const funding = fundingOf(one);
  const method = funding?.method ?? `pgfs.${one.type}`;
  const kind = NEWS_KINDS[method];
  const isFirst = kind === 'authorization' || kind === 'advice';
  // It replaces what was authorised: what is given up is in its funding, and not known without that.
  const isReplacement = one.type === REPLACEMENT;
  if (isReplacement && kind !== 'reversal') return undefined;
  const moved = isReplacement && funding ? { ...one, amount: funding.amount } : one;
  const message = messageOf(moved, isFirst ? '' : undefined);
  if (message === undefined) return undefined;
  return {
    ...message,
    kind,
    isDeclined: one.state === 'DECLINED' || one.state === 'ERROR',
    isFinal: SINGLE_MESSAGES.has(method) || one.is_final_clearing === true,
  };
}

const MISSING = 404;

async function findMessage(
  call: IssuingCall,
  token: string,
): Promise<Outcome<CardNews | undefined>> {
  const path = `/transactions/${encodeURIComponent(token)}`;
  const found = await call(Type.Unknown(), { name: 'find transaction', method: 'GET', path });
  if (found.kind === 'refused')
    return found.status === MISSING ? done(undefined) : unknown(found.code);
  if (found.kind === 'unknown') return found;
  const news = newsOf(found.value);
  return news ? done(news) : unknown('a transaction of another shape');
}

const PAGE_SIZE = 100;

async function messagesBetween(
  call: IssuingCall,
  { from, to }: { readonly from: Date; readonly to: Date },
  after: string | undefined,
): ReturnType<CardMessages['messagesBetween']> {
  const start = Number(after ?? 0);
  const query = new URLSearchParams({
    start_date: from.toISOString(),
    end_date: to.toISOString(),
    start_index: String(start),
    count: String(PAGE_SIZE),
    sort_by: 'createdTime',
  });
  const path = `/transactions?${query}`;
  const found = await call(IssuingPage, { name: 'list transactions', method: 'GET', path });
  if (found.kind === 'refused') return unknown(found.code);
  if (found.kind === 'unknown') return found;
  const { data, is_more } = found.value;
  const messages = data.map(newsOf);
  if (messages.includes(undefined)) return unknown('a transaction of another shape');
  return done({
    messages: messages as CardNews[],
    ...(is_more && { next: String(start + PAGE_SIZE) }),
  });
}
