import { type Static, Type } from 'typebox';
import type { Clock } from '#kernel/clock.ts';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import { type IssuingCall, issuingCaller } from './call.ts';
import { cardDisputes } from './disputes.ts';
import { cardMessages, type MessageSettings } from './messages.ts';
import type {
  CardIssuing,
  CardPage,
  CardStateReason,
  IssuedCardFacts,
  IssuingCurrency,
  NewIssuedCard,
  ProcessorCardState,
} from './port.ts';

export interface IssuingSettings {
  url(): string;
  pagesUrl(): string;
  readonly appToken: string;
  readonly adminToken: string;
  readonly clock: Clock;
  /** By what its calls to us are known. */
  readonly calls: MessageSettings;
  /** Our card product for each currency. */
  readonly products: ReadonlyMap<IssuingCurrency, string>;
}

/** Marqeta's Core API, as it is published. */
export function cardIssuing(settings: IssuingSettings): CardIssuing {
  const call = issuingCaller(settings);
  return {
    ...cardMessages(settings.calls, call),
    ...cardDisputes(call),
    issuingCurrencies: [...settings.products.keys()],
    createCard: (card) => createCard(settings, call, card),
    findCard: (token) => findCard(call, token),
    setCardState: (token, state, reason) => setState(call, token, state, reason),
    numberPage: (token) => numberPage(settings, call, token),
    pinPage: (token) => pinPage(settings, call, token),
  };
}

const Card = Type.Object({
  token: Type.String(),
  state: Type.Union([
    Type.Literal('UNACTIVATED'),
    Type.Literal('ACTIVE'),
    Type.Literal('SUSPENDED'),
    Type.Literal('TERMINATED'),
    // A state of its own, in which only certain transactions are allowed.
    Type.Literal('LIMITED'),
  ]),
  last_four: Type.String({ pattern: '^\\d{4}$' }),
  /** `MMYY`. */
  expiration: Type.String({ pattern: '^\\d{4}$' }),
});

const factsOf = ({ state, last_four, expiration }: Static<typeof Card>): IssuedCardFacts => ({
  state: state === 'LIMITED' ? 'ACTIVE' : state,
  last4: last_four,
  expiry: `${expiration.slice(0, 2)}/${expiration.slice(2)}`,
});

const CONFLICT = 409;
const MISSING = 404;

async function createCard(
  { products }: IssuingSettings,
  call: IssuingCall,
  { token, currency, nameOnCard, holder }: NewIssuedCard,
): Promise<Outcome<IssuedCardFacts>> {
  const product = products.get(currency);
  if (product === undefined) throw new Error(`There is no card product in ${currency}`);
  const { firstName, lastName, email } = holder;
  const body = { token: holder.token, first_name: firstName, last_name: lastName, email };
  const held = await call(Type.Object({ token: Type.String() }), {
    name: 'create user',
    method: 'POST',
    path: '/users',
    body,
  });
  // They have another card.
  if (held.kind === 'unknown' || (held.kind === 'refused' && held.status !== CONFLICT)) return held;
  const made = await call(Card, {
    name: 'create card',
    method: 'POST',
    path: '/cards',
    body: {
      token,
      user_token: holder.token,
      card_product_token: product,
      fulfillment: { card_personalization: { text: { name_line_1: { value: nameOnCard } } } },
    },
  });
  if (made.kind === 'done') return done(factsOf(made.value));
  if (made.kind === 'unknown') return made;
  // An earlier try may have made it, whatever this one is refused for.
  const known = await findCard(call, token);
  if (known.kind === 'done') return known.value ? done(known.value) : made;
  return unknown(`refused by ${made.code}, and not looked up`);
}

async function findCard(
  call: IssuingCall,
  token: string,
): Promise<Outcome<IssuedCardFacts | undefined>> {
  const path = `/cards/${encodeURIComponent(token)}`;
  const found = await call(Card, { name: 'find card', method: 'GET', path });
  if (found.kind === 'done') return done(factsOf(found.value));
  if (found.kind === 'unknown') return found;
  return found.status === MISSING ? done(undefined) : unknown(found.code);
}

const REASON_CODES: Readonly<Record<CardStateReason, string>> = {
  FIRST_USE: '00',
  REQUESTED: '01',
  FRAUD: '08',
  LOST: '10',
  STOLEN: '23',
  EXPIRED: '16',
};

async function setState(
  call: IssuingCall,
  token: string,
  state: ProcessorCardState,
  reason: CardStateReason,
): Promise<Outcome<undefined>> {
  const moved = await call(Type.Object({ token: Type.String() }), {
    name: 'create card transition',
    method: 'POST',
    path: '/cardtransitions',
    body: {
      card_token: token,
      channel: 'API',
      state,
      reason_code: REASON_CODES[reason],
      reason,
    },
  });
  if (moved.kind === 'done') return done(undefined);
  if (moved.kind === 'unknown') return moved;
  // A transition to the state that it has is refused.
  const known = await findCard(call, token);
  if (known.kind !== 'done') return unknown(`refused by ${moved.code}, and not looked up`);
  return known.value?.state === state ? done(undefined) : moved;
}

/** Shorter than the processor's own time, which is minutes. */
const PAGE_MS = 60_000;

const pageOf = ({ pagesUrl, clock }: IssuingSettings, name: string, token: string): CardPage => ({
  url: `${pagesUrl()}/${name}?${new URLSearchParams({ token })}`,
  expires: new Date(clock.ms() + PAGE_MS),
});

async function numberPage(
  settings: IssuingSettings,
  call: IssuingCall,
  card_token: string,
): Promise<Outcome<CardPage>> {
  const given = await call(Type.Object({ token: Type.String({ maxLength: 500 }) }), {
    name: 'create client access token',
    method: 'POST',
    path: '/users/auth/clientaccesstoken',
    body: { card_token },
  });
  return given.kind === 'done' ? done(pageOf(settings, 'card', given.value.token)) : given;
}

async function pinPage(
  settings: IssuingSettings,
  call: IssuingCall,
  card_token: string,
): Promise<Outcome<CardPage>> {
  const given = await call(Type.Object({ control_token: Type.String({ maxLength: 500 }) }), {
    name: 'create PIN control token',
    method: 'POST',
    path: '/pins/controltoken',
    body: { card_token, controltoken_type: 'SET_PIN' },
  });
  return given.kind === 'done' ? done(pageOf(settings, 'pin', given.value.control_token)) : given;
}
