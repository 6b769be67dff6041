import type { OnBehalf, Perform, Performed, PerformRequest } from '#kernel/http/answer/perform.ts';
import type { Route, UserCaller } from '#kernel/http/declare/route.ts';
import type { Arguments } from './tool.ts';
import { type DescribedTool, describeTool } from './tool-schema.ts';
import { TOOLS, type ToolName } from './tools.ts';

export interface ModelTools {
  /** Those that the models of others are offered. */
  offered(): readonly DescribedTool[];
  /** Throws FORBIDDEN where the caller's key does not open the tool's endpoint. */
  requireScope(name: ToolName, caller: UserCaller): void;
  /** Performs the tool's endpoint in the caller's name, by its own checks and errors. */
  run(
    name: ToolName,
    given: Arguments,
    by: OnBehalf,
    how: Pick<PerformRequest, 'operation' | 'tx'>,
  ): Promise<Performed>;
}

/** The one way in which a model acts: a tool's arguments go where its endpoint wants them. */
export function createTools(perform: Perform, routes: () => readonly Route[]): ModelTools {
  const described = new Map<ToolName, DescribedTool>();
  const find = (name: ToolName): DescribedTool => {
    const tool = described.get(name) ?? describeTool(name, routes());
    described.set(name, tool);
    return tool;
  };
  return {
    offered: () =>
      (Object.keys(TOOLS) as ToolName[]).map(find).filter(({ agentOnly }) => !agentOnly),
    requireScope: (name, caller) => perform.requireScope(TOOLS[name].endpoint, caller),
    run(name, given, by, how) {
      const { endpoint, own = [], parts } = find(name);
      const ids = Object.fromEntries(own.map((field) => [field, by.caller.user_id]));
      const values: Arguments = { ...given, ...ids };
      return perform(endpoint, by, {
        ...how,
        params: pick(values, parts.params),
        query: pick(values, parts.query),
        body: pick(values, parts.body),
      });
    },
  };
}

const pick = (values: Arguments, names: readonly string[]): Arguments =>
  Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
