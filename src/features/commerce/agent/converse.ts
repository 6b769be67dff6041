import { randomInt, randomUUID } from 'node:crypto';
import { CONFIRM_WITHIN_MS } from '#features/commerce/mcp-server/mcp-server.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { transact } from '#kernel/transact.ts';
import { cancel, confirm } from './confirm.ts';
import { openConfirmation, requireCode } from './confirmation-store.ts';
import { type Context, readContext } from './context.ts';
import type { AgentDeps, ChatMessage } from './deps.ts';
import type { Given, Language, Parameter } from './intent.ts';
import { type NamedWallet, namedWalletsOf } from './named-wallets.ts';
import {
  type Actionable,
  type MissingParameter,
  type MissingWallet,
  type PlannedCall,
  type PlannedMove,
  planFor,
} from './plans.ts';
import { type Conversation, endConversation, findConversation, saveConversation } from './store.ts';
import * as texts from './texts.ts';
import { MOVING_TOOLS, type Transfers } from './transfer-effect.ts';
import { type AgentTurn, askForIntent, toConfirm } from './turn.ts';
import { type Understood, understand } from './understand.ts';
import { yesOrNoOf } from './yes-or-no.ts';

/**
 * One turn of the conversation. Our code reads a yes or a no; the model reads anything else and only proposes:
 * the agent acts by tools, and moves money only after a yes.
 */
export async function converse(
  deps: AgentDeps,
  transfers: Transfers,
  message: ChatMessage,
): Promise<AgentTurn> {
  const { caller, input } = message;
  const conversation = await findConversation(deps, caller.user_id, deps.clock.now());
  const context = readContext(message.context);
  const yesOrNo = yesOrNoOf(input);
  if (yesOrNo?.kind === 'no') return cancel(deps, message, conversation);
  if (yesOrNo?.kind === 'yes')
    return confirm(deps, transfers, message, { ...yesOrNo, context, conversation });
  const by = requesterOf(caller, message.request);
  const wallets = await namedWalletsOf(deps.db, caller.user_id);
  const understood = await understand(deps, by, { input, context, conversation, wallets });
  return act(deps, message, wallets, merged(understood, { input, context, conversation }));
}

/** The intent as it is now; `said` are the user's messages about it. */
interface MergedIntent extends Understood {
  readonly said: readonly string[];
}

/**
 * Adds this message's parameters to the earlier ones of the same intent. Another intent starts from nothing. A
 * message that does not answer the open question leaves the question open.
 */
function merged(
  understood: Understood,
  earlier: { input: string; context: Context; conversation: Conversation | undefined },
): MergedIntent {
  const { intent, language, parameters, doubts } = understood;
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
    return { ...understood, said: [input], parameters: without(alone, doubts) };
  }
  const before = conversation?.doubts.filter((name) => parameters[name] === undefined) ?? [];
  const known = { ...conversation?.parameters, ...context.parameters, ...parameters };
  return {
    ...understood,
    intent: open,
    language: intent === 'unknown' ? (conversation?.language ?? language) : language,
    parameters: without(known, doubts),
    said: [...(conversation?.said ?? []), input],
    doubts: [...new Set([...before, ...doubts])],
  };
}

const without = (parameters: Given, doubts: readonly Parameter[]): Given =>
  Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !doubts.includes(name as Parameter)),
  );

async function act(
  deps: AgentDeps,
  message: ChatMessage,
  wallets: readonly NamedWallet[],
  merged: MergedIntent,
): Promise<AgentTurn> {
  const { db, clock, config, evm } = deps;
  const { user_id } = message.caller;
  const { intent, language, parameters: given, doubts, amounts } = merged;
  if (intent === 'cancel') return cancel(deps, message, undefined, language);
  // From now on a bare yes might mean this message or the open confirmation.
  await requireCode(db, user_id, clock.now());
  if (intent === 'help')
    return {
      intent,
      message: texts.help(language),
      completed: true,
      actions: texts.examples(language),
    };
  if (intent === 'unknown') return askForIntent(texts.notUnderstood(language), language);
  const plan = planFor(intent, { evm, config, user_id, wallets, given, doubts, amounts });
  if (plan.kind === 'move') return ask(deps, message, merged, plan);
  if (plan.kind === 'call') return runTool(deps, message, { intent, language, plan });
  const asked = plan.kind === 'missing-parameter' ? plan.parameter : undefined;
  await saveConversation(deps, user_id, stateOf(merged, asked), clock.now());
  return askForMissing(intent, merged, plan);
}

function askForMissing(
  intent: Actionable,
  { language, parameters, doubts }: MergedIntent,
  plan: MissingParameter | MissingWallet,
): AgentTurn {
  const data = { intent, parameters };
  if (plan.kind === 'missing-wallet')
    return {
      intent,
      message: texts.missingWallet(language, plan.chain),
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

const stateOf = (
  { intent, language, parameters, said, doubts }: MergedIntent,
  asked?: Parameter,
): Conversation => ({
  intent,
  language,
  parameters: { ...parameters },
  said: [...said],
  doubts: doubts.filter((name) => name !== asked),
  ...(asked && { asked }),
});

/** Calls at once a tool that moves no money. */
async function runTool(
  { db, tools }: AgentDeps,
  { caller, request, operation }: ChatMessage,
  { intent, language, plan }: { intent: Actionable; language: Language; plan: PlannedCall },
): Promise<AgentTurn> {
  const by = { caller, request };
  const answers = await Promise.all(
    plan.calls.map((given) => tools.run(plan.tool, given, by, { operation })),
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

/** Opens the confirmation of a transfer, with the exact body. */
async function ask(
  { db, vault, clock, tools }: AgentDeps,
  { caller }: ChatMessage,
  merged: MergedIntent,
  { intent, body, wallet_name }: PlannedMove,
): Promise<AgentTurn> {
  for (const tool of MOVING_TOOLS[intent]) tools.requireScope(tool, caller);
  const at = clock.now();
  const { user_id, client_id } = caller;
  const { language, parameters } = merged;
  const row = await transact(db, async (tx) => {
    const state = { ...stateOf(merged), doubts: [] };
    await saveConversation({ db: tx, vault }, user_id, state, at);
    return openConfirmation(
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
      { at, until: new Date(at.getTime() + CONFIRM_WITHIN_MS) },
    );
  });
  return toConfirm(row, parameters, wallet_name);
}
