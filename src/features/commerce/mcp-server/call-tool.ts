import { randomUUID } from 'node:crypto';
import type { OnBehalf } from '#kernel/http/answer/perform.ts';
import type { Confirmations } from './confirmation.ts';
import type { ModelTools } from './run-tool.ts';
import type { Arguments } from './tool.ts';
import { type DescribedTool, TOOL_CONFIRMATION } from './tool-schema.ts';
import type { ToolName } from './tools.ts';

export interface ToolCall extends OnBehalf {
  readonly tool: DescribedTool;
  readonly given: Arguments;
}
export interface ToolAnswer {
  readonly isError: boolean;
  readonly content: Readonly<Record<string, unknown>>;
}

interface Deps {
  readonly confirmations: Confirmations;
  readonly tools: ModelTools;
}

/** Runs the tool in the caller's name; a tool that moves money answers a confirmation first. */
export async function callTool(
  { confirmations, tools }: Deps,
  { tool, given: all, caller, request }: ToolCall,
): Promise<ToolAnswer> {
  tool.check(all);
  const { [TOOL_CONFIRMATION]: confirmation, ...given } = all;
  const run = async (name: ToolName, values: Arguments, operation: string = randomUUID()) =>
    tools.run(name, values, { caller, request }, { operation });
  if (!tool.asks) return { isError: false, content: await run(tool.name, given) };
  tools.requireScope(tool.name, caller);
  const subject = tool.about ? await run(tool.about as ToolName, aboutOf(tool, given)) : {};
  const what = tool.asks(given, subject);
  const agreed = { caller, tool: tool.name, given, what };
  if (confirmation === undefined) return question(what, confirmations.ask(agreed));
  const operation = confirmations.accept(String(confirmation), agreed);
  return { isError: false, content: await run(tool.name, given, operation) };
}

/** What the tool that reads the subject is called with. */
function aboutOf({ aboutBy = {} }: DescribedTool, given: Arguments): Arguments {
  const renamed = Object.entries(aboutBy).map(([name, own]) => [name, given[own]]);
  return { ...given, ...Object.fromEntries(renamed) };
}

const question = (what: string, asked: object): ToolAnswer => ({
  isError: false,
  content: {
    status: 'CONFIRMATION_REQUIRED',
    what_will_happen: what,
    next_step:
      'Nothing has moved. Show what_will_happen to the person. Only if they agree, call the same tool again with the same arguments and this confirmation.',
    ...asked,
  },
});
