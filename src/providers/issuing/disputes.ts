import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { money, toWire } from '../../kernel/money/money.ts';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import type { IssuingCall } from './call.ts';
import type {
  CardDisputes,
  DisputeDocument,
  DisputeFacts,
  DisputeReason,
  DisputeStage,
  IssuingCurrency,
  NewDispute,
} from './port.ts';

const MISSING = 404;
const CONFLICT = 409;
const MEMO_MAX = 512;

/** Cases of Marqeta's Core API: disputes with the card network. */
export const cardDisputes = (call: IssuingCall): CardDisputes => ({
  openDispute: (dispute) => openDispute(call, dispute),
  findDispute: (token, currency) => findDispute(call, token, currency),
  listDocuments: (token) => listDocuments(call, token),
  sendDocument: (token, document) => sendDocument(call, token, document),
  submitDispute: (token, currency) => moveCase(call, SUBMIT, token, currency),
  respondToDispute: (token, currency) => moveCase(call, RESPOND, token, currency),
  withdrawDispute: (token, currency) => moveCase(call, WITHDRAW, token, currency),
  readDisputeNews,
});

const Case = Type.Object({
  token: Type.String({ maxLength: 64 }),
  state: Type.String({ maxLength: 40 }),
  dispute_details: Type.Object({
    original_transaction_token: Type.String({ maxLength: 64 }),
    dispute_amount: Type.Number({ minimum: 0 }),
  }),
});

/** Of a case at the network: the state of the last one is where it is. */
const Transition = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 64 }),
  action: Type.String({ maxLength: 60 }),
  state: Type.String({ maxLength: 40 }),
  created_time: Type.String({ maxLength: 40 }),
  memo: Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Null()])),
});
const Transitions = Type.Object({ data: Type.Array(Transition) });

const STAGES: Readonly<Record<string, DisputeStage>> = {
  initiated: 'INITIATED',
  representment: 'REPRESENTED',
  prearbitration: 'PREARBITRATION',
  arbitration: 'ARBITRATION',
  case_won: 'WON',
  case_lost: 'LOST',
  network_rejected: 'REJECTED',
};

/** The guides write `case.won`, and the table of states `case_won`. */
const stageOf = (state: string): DisputeStage | undefined =>
  STAGES[state.toLowerCase().replaceAll('.', '_')];

/** Categories of the network, and its conditions. */
const DETAILS: Readonly<Record<DisputeReason, { category: string; reason_code: string }>> = {
  FRAUD: { category: 'FRAUD', reason_code: '10.4' },
  NOT_RECEIVED: { category: 'CONSUMER', reason_code: '13.1' },
  NOT_AS_DESCRIBED: { category: 'CONSUMER', reason_code: '13.3' },
  CANCELLED: { category: 'CONSUMER', reason_code: '13.7' },
  REFUND_MISSING: { category: 'CONSUMER', reason_code: '13.6' },
  DUPLICATE: { category: 'PROCESSING', reason_code: '12.6.1' },
  WRONG_AMOUNT: { category: 'PROCESSING', reason_code: '12.5' },
};

const at = (token: string, under = ''): string => `/cases/${encodeURIComponent(token)}${under}`;

async function openDispute(call: IssuingCall, dispute: NewDispute): Promise<Outcome<DisputeFacts>> {
  const { token, transaction, units, currency, reason, explanation, isWhole } = dispute;
  const made = await call(Case, {
    name: 'create case',
    method: 'POST',
    path: '/cases',
    body: {
      token,
      type: 'DISPUTE',
      memo: [...explanation].slice(0, MEMO_MAX).join(''),
      dispute_details: {
        original_transaction_token: transaction,
        dispute_amount: toWire({ asset: currency, units }),
        ...(!isWhole && { dispute_amount_change_reason: 'PARTIAL_AMOUNT' }),
        ...DETAILS[reason],
      },
    },
  });
  if (made.kind === 'unknown' || (made.kind === 'refused' && made.status !== CONFLICT)) return made;
  // It is there, made by this call or by an earlier one.
  const known = await findDispute(call, token, currency);
  if (known.kind === 'refused') return unknown(known.code);
  if (known.kind === 'unknown') return known;
  return known.value ? done(known.value) : unknown('a case that is not found');
}

async function findDispute(
  call: IssuingCall,
  token: string,
  currency: IssuingCurrency,
): Promise<Outcome<DisputeFacts | undefined>> {
  const found = await call(Case, { name: 'find case', method: 'GET', path: at(token) });
  if (found.kind === 'refused')
    return found.status === MISSING ? done(undefined) : unknown(found.code);
  if (found.kind === 'unknown') return found;
  const listed = await call(Transitions, {
    name: 'list network transitions',
    method: 'GET',
    path: at(token, '/disputetransitions?sort_by=createdTime&count=100'),
  });
  if (listed.kind === 'refused') return unknown(listed.code);
  if (listed.kind === 'unknown') return listed;
  return factsOf(found.value, listed.value.data, currency);
}

/** What is of another shape, or has more digits than the currency, is not known. */
function factsOf(
  { token, state, dispute_details: details }: Static<typeof Case>,
  transitions: readonly Static<typeof Transition>[],
  currency: IssuingCurrency,
): Outcome<DisputeFacts> {
  const events = transitions.map(({ token, action, state, created_time, memo }) => ({
    token,
    type: action,
    stage: stageOf(state),
    at: new Date(created_time),
    text: memo ?? undefined,
  }));
  const isOdd = events.some(({ stage, at }) => stage === undefined || Number.isNaN(at.getTime()));
  const amount = details.dispute_amount;
  if (isOdd || token === '') return unknown('a case of another shape');
  try {
    return done({
      token,
      transaction: details.original_transaction_token,
      units: money(currency, amount).units,
      stage: events.at(-1)?.stage ?? 'OPEN',
      isClosed: state === 'CLOSED',
      events: events as DisputeFacts['events'],
    });
  } catch {
    return unknown('a case of another amount');
  }
}

const Document = Type.Object({ token: Type.String(), document_name: Type.String() });
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpeg',
};

async function listDocuments(call: IssuingCall, token: string): Promise<Outcome<string[]>> {
  const path = at(token, '/contents');
  const schema = Type.Object({ data: Type.Array(Document) });
  const found = await call(schema, { name: 'list case contents', method: 'GET', path });
  if (found.kind === 'refused') return unknown(found.code);
  if (found.kind === 'unknown') return found;
  return done(found.value.data.map(({ document_name }) => document_name.replace(/\.[a-z]+$/, '')));
}

async function sendDocument(
  call: IssuingCall,
  token: string,
  { name, contentType, bytes }: DisputeDocument,
): Promise<Outcome<undefined>> {
  const sent = await call(Document, {
    name: 'create case content',
    method: 'POST',
    path: at(token, '/contents'),
    body: {
      document_category: 'CARDHOLDER_LETTER',
      document_name: `${name}.${ENDINGS[contentType] ?? 'pdf'}`,
      document_content_type: contentType,
      document: bytes.toString('base64'),
    },
  });
  return sent.kind === 'done' ? done(undefined) : sent;
}

interface CaseMove {
  readonly under: string;
  readonly action: string;
  /** Where the case is after it, or beyond. */
  readonly leadsTo: readonly DisputeStage[];
}

const ENDS = ['WON', 'LOST', 'REJECTED'] as const;
const SUBMIT: CaseMove = {
  under: '/transitions',
  // The provisional credit is ours to give.
  action: 'CHARGEBACK_NO_CREDIT',
  leadsTo: ['INITIATED', 'REPRESENTED', 'PREARBITRATION', 'ARBITRATION', ...ENDS],
};
const RESPOND: CaseMove = {
  under: '/disputetransitions',
  action: 'RESPOND_WITH_PREARB',
  leadsTo: ['PREARBITRATION', 'ARBITRATION', ...ENDS],
};
const WITHDRAW: CaseMove = {
  under: '/disputetransitions',
  action: 'ACCEPT_AND_CLOSE',
  leadsTo: ENDS,
};

/** One that was made before is refused: the case says whether it is where the move leads to. */
async function moveCase(
  call: IssuingCall,
  { under, action, leadsTo }: CaseMove,
  token: string,
  currency: IssuingCurrency,
): Promise<Outcome<DisputeFacts>> {
  const moved = await call(Type.Object({ token: Type.String() }), {
    name: `case ${action.toLowerCase().replaceAll('_', ' ')}`,
    method: 'POST',
    path: at(token, under),
    body: { action, created_by: 'archipay' },
  });
  if (moved.kind === 'unknown') return moved;
  const known = await findDispute(call, token, currency);
  if (known.kind !== 'done' || known.value === undefined)
    return unknown('a move of a case that is not looked up');
  const isThere = leadsTo.includes(known.value.stage) || known.value.isClosed;
  if (isThere) return done(known.value);
  return moved.kind === 'done' ? unknown('a move that the case does not show') : moved;
}

const News = Type.Object({
  casetransitions: Type.Array(
    Type.Object({
      token: Type.String({ minLength: 1, maxLength: 64 }),
      case_token: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    { maxItems: 100 },
  ),
});

function readDisputeNews(raw: Uint8Array): ReturnType<CardDisputes['readDisputeNews']> {
  try {
    const news: unknown = JSON.parse(Buffer.from(raw).toString('utf8'));
    if (!Value.Check(News, news)) return [];
    return news.casetransitions.map(({ token, case_token }) => ({
      token: case_token,
      transition: token,
    }));
  } catch {
    return [];
  }
}
