/** A node of a plan, as `explain (verbose, format json)` writes it. */
export interface Plan {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Subplan Name'?: string;
  readonly 'CTE Name'?: string;
  readonly Schema?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly 'TID Cond'?: string;
  readonly Filter?: string;
  readonly 'Plan Rows': number;
  readonly 'Total Cost': number;
  readonly Plans?: readonly Plan[];
}

/** The longest page of any list of ours, and one row more to detect the next page. */
const PAGE_MAX = 1001;
/** The limit of a scan's cost by the planner's measure: about a thousand rows from all over a table. */
const COST_MAX = 2000;

/** Nodes that read all of their input before they return a row, and their names. */
const WHOLE: Readonly<Record<string, string>> = {
  Sort: 'sorts',
  Aggregate: 'counts',
  WindowAgg: 'counts',
  Hash: 'hashes',
  Materialize: 'keeps',
  SetOp: 'compares',
  ModifyTable: 'changes',
};

/** Of `(a, b) > (…)` in a condition: the first column, and its direction. */
const ROW_BOUND = /ROW\(([\w.]+), [^)]*\) ([<>])=? ROW/;

/** The nodes of a plan that cost more with each row of history in tables outside `isSmall`. */
export function faultsOf(root: Plan, isSmall: (table: string) => boolean): string[] {
  const parts = new Map<string, Plan>();
  const faults: string[] = [];
  find(root);
  walk(root, false);
  const rows = mostRows(root);
  if (root['Node Type'] !== 'ModifyTable' && rows > PAGE_MAX)
    faults.push('answers without a limit');
  return faults;

  function find(node: Plan): void {
    const name = /^CTE (.+)$/.exec(node['Subplan Name'] ?? '')?.[1];
    if (name) parts.set(name, node);
    for (const below of node.Plans ?? []) find(below);
  }

  function walk(node: Plan, isCut: boolean): void {
    const kind = node['Node Type'];
    const fault = scanFault(node, isCut) ?? twiceFault(node) ?? wholeFault(node);
    if (fault) faults.push(fault);
    // The input of a sort or count is read to its end, with any limit above.
    const isCutBelow = kind === 'Limit' || (isCut && !(kind in WHOLE));
    for (const below of node.Plans ?? []) walk(below, isCutBelow);
  }

  function scanFault(node: Plan, isCut: boolean): string | undefined {
    const table = tableOf(node);
    if (table === undefined || isSmall(table) || isFirstRow(node)) return undefined;
    const isFiltered = node.Filter !== undefined;
    if (isCut && !isFiltered) return undefined;
    if (node['Node Type'] === 'Seq Scan') return `reads all of ${table}`;
    const isFound = node['Index Cond'] ?? node['Recheck Cond'] ?? node['TID Cond'];
    if (isFound === undefined) return `goes through an index of ${table}`;
    return isFiltered && node['Total Cost'] > COST_MAX ? `passes over rows of ${table}` : undefined;
  }

  /** A walk begins at one of two bounds, which need not be the nearer one. */
  function twiceFault(node: Plan): string | undefined {
    const [table, cond = ''] = [tableOf(node), node['Index Cond']];
    if (table === undefined || isSmall(table)) return undefined;
    const [, column, way] = ROW_BOUND.exec(cond) ?? [];
    const isTwice = cond.includes(`(${column} ${way} `) || cond.includes(`(${column} ${way}= `);
    return isTwice ? `begins twice in an index of ${table}` : undefined;
  }

  function wholeFault(node: Plan): string | undefined {
    const verb = WHOLE[node['Node Type']];
    if (!verb) return undefined;
    const rows = Math.max(0, ...ownInputs(node).map(mostRows));
    return rows > PAGE_MAX ? `${verb} without a limit` : undefined;
  }

  /** The maximum rows of a node, if a LIMIT below it, or of its inner side, bounds it. */
  function mostRows(node: Plan): number {
    const rows = node['Plan Rows'];
    if (node['Node Type'] === 'Limit') return Math.min(rows, PAGE_MAX);
    const part = node['CTE Name'] === undefined ? undefined : parts.get(node['CTE Name']);
    if (part) return Math.min(rows, mostRows(part));
    const [first] = ownInputs(node);
    if (!first) return rows;
    return Math.floor(rows * Math.min(1, mostRows(first) / Math.max(1, first['Plan Rows'])));
  }
}

const ownInputs = ({ Plans = [] }: Plan): readonly Plan[] =>
  Plans.filter((below) => !['InitPlan', 'SubPlan'].includes(below['Parent Relationship'] ?? ''));

/** `schema.table`, without `public`. */
function tableOf(node: Plan): string | undefined {
  const { Schema = 'public', 'Relation Name': name } = node;
  if (!/Scan$/.test(node['Node Type']) || name === undefined) return undefined;
  return Schema === 'public' ? name : `${Schema}.${name}`;
}

/** `exists (select from table)`, which needs a single row. */
const isFirstRow = (node: Plan) =>
  node['Parent Relationship'] === 'InitPlan' &&
  node.Filter === undefined &&
  !node['Subplan Name']?.startsWith('CTE');
