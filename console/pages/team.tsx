import { useChange, useMe, usePages } from '../data.ts';
import { type Colleague, type Invitation, ROLES, type TeamRole } from '../team-shapes.ts';
import { Act } from '../ui/act.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';

/** What a role opens, in the words of the choice. */
const ROLE_WORDS: Readonly<Record<TeamRole, string>> = {
  owner: 'Owner: everything, also team and settings',
  developer: 'Developer: webhooks, events, keys, requests; reads payments',
  finance: 'Finance: payments, payouts, cards, approvals',
  support: 'Support: people and freezes; reads payments',
  viewer: 'Viewer: reads payments and people',
};
const ROLE_OPTIONS = ROLES.map((role) => [role, ROLE_WORDS[role]] as const);

/** The people of the reader's own organisation: who they are, what they may, and who is invited. */
export function TeamPage() {
  const team = usePages('GET /team', { limit: 50 }, ({ data: { members } }) =>
    members.length === 50 ? members.at(-1)?.user_id : null,
  );
  const { data: me } = useMe();
  const canChange = me?.may.includes('team:write') ?? false;
  return (
    <Page title="Team" beside={canChange && <Invite />}>
      <Loaded of={team}>
        {({ pages }) => (
          <>
            <Members
              rows={pages.flatMap(({ data }) => data.members)}
              self={canChange ? me?.user.user_id : undefined}
            />
            <More of={team} />
            <Part title="Invitations">
              <Invitations rows={pages[0]?.data.invitations ?? []} canChange={canChange} />
            </Part>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** `self` is the reader, who changes the others; nothing where the reader changes none. */
const Members = ({ rows, self }: { rows: readonly Colleague[]; self: number | undefined }) => (
  <Table
    label="People of the team, newest first"
    rows={rows}
    keyOf={({ user_id }) => user_id}
    empty="There is only you."
    columns={[
      { head: 'Who', cell: (one) => <Who one={one} /> },
      { head: 'Role', cell: ({ team_role }) => team_role },
      { head: 'Since', cell: ({ role_since }) => <Since at={role_since} /> },
      {
        head: 'Second factor',
        cell: ({ second_factor }) => (second_factor ? 'yes' : <strong>no</strong>),
      },
      { head: 'Status', cell: ({ user_status }) => <Tag word={user_status} /> },
      {
        head: 'Action',
        isAction: true,
        cell: (one) =>
          self !== undefined &&
          one.user_id !== self && (
            <div className="buttons">
              <ChangeRole one={one} />
              <Remove one={one} />
            </div>
          ),
      },
    ]}
  />
);

const Who = ({ one: { username, email, user_id } }: { one: Colleague }) => (
  <>
    <strong>{username}</strong>
    <p className="soft">
      {email}, user {user_id}
    </p>
  </>
);

const Since = ({ at }: { at: string | null }) =>
  at === null ? <span className="soft">from the beginning</span> : <When at={at} />;

function Invite() {
  const { mutateAsync } = useChange('POST /team/invitations');
  return (
    <Act
      verb="Invite"
      look="main"
      title="Invite to the team"
      done="The invitation is on its way"
      onDo={({ email = '', team_role }) =>
        mutateAsync({ body: { email, team_role: team_role as TeamRole } })
      }
    >
      <p>A link goes to the address. It works once, within 72 hours.</p>
      <Field label="E-mail address" name="email" type="email" maxLength={254} required />
      <Select label="Role" name="team_role" defaultValue="viewer" options={ROLE_OPTIONS} />
    </Act>
  );
}

function ChangeRole({ one: { user_id, username, team_role } }: { one: Colleague }) {
  const { mutateAsync } = useChange('PATCH /team/{user_id}');
  return (
    <Act
      verb="Change role"
      title={`Another role for ${username}`}
      done={`${username} has another role`}
      onDo={(filled) =>
        mutateAsync({
          params: { user_id },
          body: { team_role: filled['team_role'] as TeamRole },
        })
      }
    >
      <p>
        Their log-ins end, and all owners get a mail. Approvals of a new owner or of finance count a
        day later.
      </p>
      <Select label="Role" name="team_role" defaultValue={team_role} options={ROLE_OPTIONS} />
    </Act>
  );
}

const KEEP_OR_STOP = [
  ['stop', 'Stop them'],
  ['keep', 'Keep them, in my name'],
] as const;
type KeepOrStop = (typeof KEEP_OR_STOP)[number][0];

function Remove({ one: { user_id, username } }: { one: Colleague }) {
  const { mutateAsync } = useChange('DELETE /team/{user_id}');
  return (
    <Act
      verb="Remove"
      title={`Remove ${username} from the team?`}
      done={`${username} is not in the team any more`}
      danger
      onDo={({ keys, endpoints }) =>
        mutateAsync({
          params: { user_id },
          query: { keys: keys as KeepOrStop, endpoints: endpoints as KeepOrStop },
        })
      }
    >
      <p>Their log-ins end at once. What they have asked for and what is not done is void.</p>
      <Select label="Their API keys" name="keys" defaultValue="stop" options={KEEP_OR_STOP} />
      <Select
        label="Their webhook endpoints"
        name="endpoints"
        defaultValue="stop"
        options={KEEP_OR_STOP}
      />
    </Act>
  );
}

const Invitations = ({ rows, canChange }: { rows: readonly Invitation[]; canChange: boolean }) => (
  <Table
    label="Invitations that are open, newest first"
    rows={rows}
    keyOf={({ invitation_id }) => invitation_id}
    empty="No invitation is open."
    columns={[
      { head: 'Address', cell: ({ email }) => email },
      { head: 'Role', cell: ({ team_role }) => team_role },
      { head: 'Works until', cell: ({ expires_at }) => <When at={expires_at} /> },
      {
        head: 'Action',
        isAction: true,
        cell: (one) => canChange && <TakeBack one={one} />,
      },
    ]}
  />
);

function TakeBack({ one: { invitation_id, email } }: { one: Invitation }) {
  const { mutateAsync } = useChange('DELETE /team/invitations/{invitation_id}');
  return (
    <Act
      verb="Take back"
      title={`Take back the invitation of ${email}?`}
      done="The link does not work any more"
      danger
      onDo={() => mutateAsync({ params: { invitation_id } })}
    >
      <p>The link in the mail does not work any more. Another one can be sent.</p>
    </Act>
  );
}
