/** What an admin may do at their client. An admin without a role is an owner. */
export const TEAM_ROLES = ['owner', 'developer', 'finance', 'support', 'viewer'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** Parts of the product that roles differ in. `own` is what concerns the caller alone. */
export type TeamArea =
  | ('own' | 'payments' | 'refunds' | 'payouts' | 'approvals' | 'people' | 'files' | 'cards')
  | ('freezes' | 'developers' | 'team' | 'settings' | 'audit' | 'desk' | 'books');
export type TeamAction = 'read' | 'write' | 'approve';

/** What an endpoint asks of the role of an admin. */
export type TeamMark = `${TeamArea}:${TeamAction}`;
