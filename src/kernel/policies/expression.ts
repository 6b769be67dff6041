import { type ASTNode, Environment, type ParseResult, serialize } from '@marcbachmann/cel-js';
import { type AppError, wrongField } from '../error.ts';
import { FACTS, type PolicyFacts } from './facts.ts';

/** Whether an operation matches an expression, or that this could not be computed. */
export type Match = boolean | { readonly fault: string };

/** An expression that was checked: it cannot run for long, and what it names is there. */
export interface Condition {
  matches(facts: PolicyFacts): Match;
  /** The first of its parts, joined by `&&`, that does not hold; null where all do. */
  unmet(facts: PolicyFacts): string | null;
  /** The top names that it reads, such as `sums`. */
  readonly names: ReadonlySet<string>;
}

/**
 * What bounds an evaluation. There are no loops, and no function makes its result longer than what it was given, so
 * that the steps of an evaluation are no more than those of its text.
 */
const EXPRESSION_STEPS = 2000;
const NODES_MAX = 200;
const DEPTH_MAX = 20;
const LIST_MAX = 100;
/** A search in a text of metadata, compared with one step of any other kind. */
const SEARCH_STEPS = 100;

/** What may be called, and its steps. `matches` is not among them: a pattern may take for ever. */
const CALLS: Readonly<Record<string, number>> = {
  has: 1,
  size: SEARCH_STEPS,
  int: 10,
  double: 10,
  string: 10,
  contains: SEARCH_STEPS,
  startsWith: SEARCH_STEPS,
  endsWith: SEARCH_STEPS,
  lowerAscii: SEARCH_STEPS,
  upperAscii: SEARCH_STEPS,
};

const environment = Object.entries(FACTS).reduce(
  (env, [name, type]) =>
    typeof type === 'string'
      ? env.registerVariable(name, type)
      : env.registerVariable({ name, schema: type }),
  new Environment({
    limits: {
      maxAstNodes: NODES_MAX,
      maxDepth: DEPTH_MAX,
      maxListElements: LIST_MAX,
      maxMapEntries: 0,
      maxCallArguments: 2,
    },
  }),
);

/** Of texts that were compiled before; a published policy is asked at every operation. */
const compiled = new Map<string, Condition>();
const COMPILED_MAX = 5000;

/** The condition of a published policy. */
export function conditionOf(text: string | null): Condition {
  if (text === null) return ALWAYS;
  const known = compiled.get(text);
  if (known) return known;
  const condition = compileCondition(text);
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  compiled.set(text, condition);
  return condition;
}

const ALWAYS: Condition = { matches: () => true, unmet: () => null, names: new Set() };

/** Reads an expression; throws VALIDATION_ERROR of `when` with the place of what is wrong. */
export function compileCondition(text: string): Condition {
  const parsed = parse(text);
  const checked = parsed.check();
  if (!checked.valid) throw wrong(text, checked.error);
  if (checked.type !== 'bool')
    throw misplaced(text, 0, `answers ${checked.type}, not true or false`);
  const nodes = nodesOf(parsed.ast);
  requireBounded(text, nodes);
  const parts = partsOf(parsed.ast).map((part) => serialize(part));
  const names = nodes.flatMap((node) => (node.op === 'id' ? [node.args] : []));
  return {
    names: new Set(names),
    matches: (facts) => evaluated(parsed, facts),
    unmet: (facts) => parts.find((part) => evaluated(parse(part), facts) !== true) ?? null,
  };
}

function parse(text: string): ParseResult {
  try {
    return environment.parse(text);
  } catch (error) {
    throw wrong(text, error);
  }
}

/** Never throws: what cannot be computed is a fault, which the caller takes for a denial. */
function evaluated(parsed: ParseResult, facts: PolicyFacts): Match {
  try {
    const value: unknown = parsed(facts);
    return typeof value === 'boolean' ? value : { fault: 'It answers neither true nor false' };
  } catch (error) {
    return { fault: faultOf(error).summary };
  }
}

interface Fault {
  readonly summary: string;
  readonly range?: { readonly start: number } | undefined;
}

function faultOf(error: unknown): Fault {
  const { summary, range, message } = error as Partial<Fault & Error>;
  return { summary: summary ?? message ?? 'It cannot be computed', range };
}

function wrong(text: string, error: unknown): AppError {
  const { summary, range } = faultOf(error);
  return misplaced(text, range?.start ?? 0, summary);
}

/** The place is a line and a column, as editors count them. */
function misplaced(text: string, at: number, what: string): AppError {
  const lines = text.slice(0, at).split('\n');
  const column = (lines.at(-1) ?? '').length + 1;
  return wrongField('when', `is wrong at line ${lines.length}, column ${column}: ${what}`);
}

function requireBounded(text: string, nodes: readonly ASTNode[]): void {
  let steps = 0;
  for (const node of nodes) {
    const called = node.op === 'call' || node.op === 'rcall' ? node.args[0] : undefined;
    const own = called === undefined ? 1 : CALLS[called];
    if (own === undefined) throw misplaced(text, node.start, `${called} cannot be called here`);
    // Texts joined again and again grow, and with them what it takes to compare them.
    if (node.op === '+' && !isNumber(node))
      throw misplaced(text, node.start, 'only numbers can be added');
    steps += own;
  }
  if (steps > EXPRESSION_STEPS)
    throw misplaced(text, 0, `it takes ${steps} steps, more than ${EXPRESSION_STEPS}`);
}

const isNumber = (node: ASTNode): boolean => {
  const { type } = environment.check(serialize(node));
  return type === 'int' || type === 'double';
};

/** A node and all within it. */
function nodesOf(node: ASTNode): ASTNode[] {
  return [node, ...inner(node.args).flatMap(nodesOf)];
}

function inner(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(inner);
  return isNode(args) ? [args] : [];
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

/** The parts that `&&` joins, in their order. */
function partsOf(node: ASTNode): ASTNode[] {
  return node.op === '&&' ? node.args.flatMap(partsOf) : [node];
}
