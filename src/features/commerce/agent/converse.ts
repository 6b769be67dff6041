import { randomInt, randomUUID } from 'node:crypto';
import { requesterOf } from '#kernel/access/requester.ts';
import { transact } from '#kernel/transact.ts';
import { type Word, wordOf } from './answers.ts';
import { ENDPOINTS, type Transfers } from './carry-out.ts';
import { cancel, confirm } from './confirm.ts';
import { askFor, askForCode } from './confirmation-store.ts';
import { type Context, readContext } from './context.ts';
import type { AgentDeps, ChatMessage } from './deps.ts';
import type { AgentIntent, Given, Language, Parameter } from './intent.ts';
import { type NamedWallet, placesOf } from './places.ts';
import { type Actionable, type Doing, type Plan, type PlannedMove, planFor } from './plans.ts';
import { type Conversation, endConversation, findConversation, saveConversation } from './store.ts';
import * as texts from './texts.ts';
import { type AgentTurn, nothing, toConfirm } from './turn.ts';
import { type Understood, understand } from './understand.ts';

const CONFIRM_MS = 5 * 60_000;

/**
 * One turn of the conversation. A yes or a no is read here; anything else is read by the model, which only
 * proposes: what is done of it is done by the endpoints, and what moves money only after a yes.
 */
export async function converse(
  deps: AgentDeps,
  transfers: Transfers,
  message: ChatMessage,
): Promise<AgentTurn> {
  const { caller, input } = message;
  const conversation = await findConversation(deps, caller.user_id, deps.clock.now());
  const context = readContext(message.context);
  const word: Word | undefined = wordOf(input);
  if (word?.kind === 'no') return cancel(deps, message, conversation);
  if (word?.kind === 'yes')
    return confirm(deps, transfers, message, { ...word, context, conversation });
  const by = requesterOf(caller, message.request);
  const places = await placesOf(deps.db, caller.user_id);
  const understood = await understand(deps, by, { input, context, conversation, places });
  return act(deps, message, places, merged(understood, { input, context, conversation }));
}

interface Heard {
  readonly intent: AgentIntent;
  readonly language: Language;
  readonly parameters: Given;
  readonly said: readonly string[];
  /** What the user has written and nobody can read in one way; nothing of it is in the parameters. */
  readonly doubts: readonly Parameter[];
  readonly amounts: readonly string[];
}

/**
 * The wish as it is now: what this message says, on top of what was said of the same wish before. Another
 * wish begins from nothing. What is no answer to an open question leaves the question open.
 */
function merged(
  { intent, language, parameters, doubts, amounts }: Understood,
  earlier: { input: string; context: Context; conversation: Conversation | undefined },
): Heard {
  const { input, context, conversation } = earlier;
  const open = conversation?.intent ?? context.intent;
  const isSame = open !== undefined && (intent === open || intent === 'unknown');
  const saysMore =
    intent !== 'unknown' ||
    Object.keys(parameters).length + doubts.length > 0 ||
    context.intent !== undefined ||
    conversation?.asked !== undefined;
  if (!isSame || !saysMore) {
    const alone = { ...(intent === context.intent ? context.parameters : {}), ...parameters };
    return {
      intent,
      language,
      said: [input],
      doubts,
      amounts,
      parameters: without(alone, doubts),
    };
  }
  const before = conversation?.doubts.filter((name) => parameters[name] === undefined) ?? [];
  const known = { ...conversation?.parameters, ...context.parameters, ...parameters };
  return {
    intent: open,
    language: intent === 'unknown' ? (conversation?.language ?? language) : language,
    parameters: without(known, doubts),
    said: [...(conversation?.said ?? []), input],
    doubts: [...new Set([...before, ...doubts])],
    amounts,
  };
}

const without = (parameters: Given, doubts: readonly Parameter[]): Given =>
  Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !doubts.includes(name as Parameter)),
  );

async function act(
  deps: AgentDeps,
  message: ChatMessage,
  places: readonly NamedWallet[],
  heard: Heard,
): Promise<AgentTurn> {
  const { db, clock, config, evm } = deps;
  const { user_id } = message.caller;
  const { intent, language } = heard;
  if (intent === 'cancel') return cancel(deps, message, undefined, language);
  // Something else was said: a bare yes might be meant for either from now on.
  await askForCode(db, user_id, clock.now());
  if (intent === 'help')
    return {
      intent,
      message: texts.help(language),
      completed: true,
      actions: texts.wishes(language),
    };
  if (intent === 'unknown') return nothing(texts.notUnderstood(language), language);
  const { parameters: given, doubts, amounts } = heard;
  const plan = planFor(intent, { evm, config, user_id, places, given, doubts, amounts });
  if (plan.kind === 'moving') return ask(deps, message, heard, plan);
  if (plan.kind === 'doing') return doIt(deps, message, { intent, language, plan });
  await remember(deps, user_id, heard, plan.kind === 'lacking' ? plan.parameter : undefined);
  return lacks(intent, heard, plan);
}

function lacks(
  intent: Actionable,
  { language, parameters, doubts }: Heard,
  plan: Exclude<Plan, Doing | PlannedMove>,
): AgentTurn {
  const data = { intent, parameters };
  if (plan.kind === 'homeless')
    return {
      intent,
      message: texts.homeless(language, plan.chain),
      needsWallet: true,
      missing: 'wallet',
      actions: texts.firstSteps(language, plan.chain),
      data,
    };
  const { parameter, options, missing = parameter } = plan;
  const isUnclear = plan.why === undefined && doubts.includes(parameter);
  const why = isUnclear ? texts.unclear(language, parameter, options) : plan.why;
  return {
    intent,
    message: texts.question(language, missing, why),
    missing,
    options,
    actions: options,
    data,
  };
}

const remember = (
  { db, vault, clock }: AgentDeps,
  user_id: number,
  { intent, language, parameters, said, doubts }: Heard,
  asked: Conversation['asked'],
): Promise<unknown> => {
  const open = doubts.filter((name) => name !== asked);
  const state = {
    intent,
    language,
    parameters: { ...parameters },
    said: [...said],
    doubts: open,
  };
  return saveConversation(
    { db, vault },
    user_id,
    { ...state, ...(asked && { asked }) },
    clock.now(),
  );
};

/** What moves nothing is done at once, by the endpoints. */
async function doIt(
  { db, perform }: AgentDeps,
  { caller, request, operation }: ChatMessage,
  { intent, language, plan }: { intent: Actionable; language: Language; plan: Doing },
): Promise<AgentTurn> {
  const answers = await Promise.all(
    plan.wishes.map((wish) => perform(plan.endpoint, { caller, request }, { ...wish, operation })),
  );
  await endConversation(db, caller.user_id);
  const [first] = answers;
  const { data, security_note } = first ?? {};
  return {
    intent,
    message: texts.finished(language, intent),
    completed: true,
    data:
      intent === 'balance'
        ? { wallets: answers.map((answer) => answer.data) }
        : { ...data, ...(security_note && { security_note }) },
  };
}

/** What moves money is written down word for word, and waits for the user's yes. */
async function ask(
  { db, vault, clock, perform }: AgentDeps,
  { caller }: ChatMessage,
  heard: Heard,
  { intent, body, wallet_name }: PlannedMove,
): Promise<AgentTurn> {
  for (const endpoint of ENDPOINTS[intent]) perform.requireScope(endpoint, caller);
  const at = clock.now();
  const { user_id, client_id } = caller;
  const { language, parameters } = heard;
  const row = await transact(db, async (tx) => {
    await saveConversation(
      { db: tx, vault },
      user_id,
      {
        intent,
        language,
        parameters: { ...parameters },
        said: [...heard.said],
        doubts: [],
      },
      at,
    );
    return askFor(
      tx,
      {
        user_id,
        client_id,
        intent,
        language,
        parameters: body,
        confirmation_id: randomUUID(),
        code: String(randomInt(10_000)).padStart(4, '0'),
      },
      { at, until: new Date(at.getTime() + CONFIRM_MS) },
    );
  });
  return toConfirm(row, parameters, wallet_name);
}
