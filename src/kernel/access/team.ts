import { fail } from '../error.ts';
import type { ApiKey } from '../http/declare/api-key.ts';
import {
  TEAM_ROLES,
  type TeamAction,
  type TeamArea,
  type TeamMark,
  type TeamRole,
} from '../http/declare/team-mark.ts';

/** An endpoint, as far as its mark. */
interface Marked {
  readonly team?: TeamMark | undefined;
}

const ALL = TEAM_ROLES;

/** Who may do what, beside owners, who may do all (decisions: roles in a team). */
const MATRIX: Readonly<Record<TeamArea, Partial<Record<TeamAction, readonly TeamRole[]>>>> = {
  own: { read: ALL, write: ALL },
  payments: { read: ALL, write: ['finance'] },
  refunds: { read: ALL, write: ['finance'] },
  payouts: { read: ['finance', 'support', 'viewer'], write: ['finance'] },
  approvals: { read: ['finance'], approve: ['finance'] },
  people: { read: ALL, write: ['support'] },
  files: { read: ['finance', 'support'], write: ['finance', 'support'] },
  cards: { read: ALL, write: ['finance'] },
  freezes: { write: ['finance', 'support'] },
  developers: { read: ['developer', 'support'], write: ['developer'] },
  team: {},
  settings: { read: ['developer', 'finance'] },
  audit: { read: ['finance'] },
  desk: { read: ALL, write: ['developer', 'finance'] },
  books: { read: ALL, write: ['finance'], approve: ['finance'] },
};

/** The roles that may do what has that mark; without one it is for owners. */
export function rolesOf(mark: TeamMark | undefined): readonly TeamRole[] {
  if (mark === undefined) return ['owner'];
  const [area, action] = mark.split(':') as [TeamArea, TeamAction];
  const others = MATRIX[area][action] ?? [];
  return TEAM_ROLES.filter((role) => role === 'owner' || others.includes(role));
}

const OPEN = new Map<TeamMark | undefined, ReadonlySet<TeamRole>>();

/** Whether that role does. Undefined where somebody is in no team: a user, or an application's key. */
function mayByRole({ team }: Marked, role: TeamRole | null | undefined): boolean {
  if (role === undefined || role === null || role === 'owner') return true;
  const open = OPEN.get(team) ?? new Set(rolesOf(team));
  OPEN.set(team, open);
  return open.has(role);
}

/** Throws FORBIDDEN where the role of who made a key, or of who had it before, does not open the endpoint. */
export function requireKeyRole(
  endpoint: Marked,
  { team_role, kept_role }: Pick<ApiKey, 'team_role' | 'kept_role'>,
): void {
  requireTeamRole(endpoint, kept_role, 'key');
  requireTeamRole(endpoint, team_role, 'key');
}

/** Throws FORBIDDEN where the role of an admin does not open the endpoint. */
export function requireTeamRole(
  endpoint: Marked,
  role: TeamRole | null | undefined,
  whose: 'person' | 'key' = 'person',
): void {
  if (mayByRole(endpoint, role)) return;
  const roles = rolesOf(endpoint.team).join(', ');
  const message =
    whose === 'person'
      ? `Your role in the team, ${role}, does not include this`
      : `The maker of the API key is ${role} in the team, which does not include this`;
  throw fail('FORBIDDEN', message, { hint: `It is for the roles ${roles}.` });
}

/** Everything that a role opens, for pages that offer nothing else. */
export const marksOf = (role: TeamRole): TeamMark[] =>
  (Object.keys(MATRIX) as TeamArea[]).flatMap((area) =>
    ACTIONS.map((action): TeamMark => `${area}:${action}`).filter((mark) =>
      rolesOf(mark).includes(role),
    ),
  );

const ACTIONS = ['read', 'write', 'approve'] as const satisfies readonly TeamAction[];
