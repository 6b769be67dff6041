import { type Db, run } from '#kernel/db/db.ts';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';

/** Gives an admin another role, from that time on. */
export const setTeamRole = (
  tx: Db,
  user_id: number,
  { team_role, at }: { readonly team_role: TeamRole; readonly at: Date },
): Promise<unknown> =>
  run(
    tx,
    'update users set team_role = $2, team_since = $3, updated = service_now() where user_id = $1',
    [user_id, team_role, at],
  );

/** They stay a user of the client, without any say in it. */
export const endMembership = (tx: Db, user_id: number): Promise<unknown> =>
  run(
    tx,
    `update users set role = 'user', team_role = null, team_since = null, updated = service_now()
      where user_id = $1`,
    [user_id],
  );
