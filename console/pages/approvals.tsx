import { useNavigate, useSearch } from '@tanstack/react-router';
import { useChange, useItems, useMe } from '../data.ts';
import { APPROVAL_STATUSES, type Approval, type ApprovalStatus } from '../money-shapes.ts';
import { Act } from '../ui/act.tsx';
import { Area, Select } from '../ui/field.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';

/** What waits for other people, and what they decided. */
export function ApprovalsPage() {
  const { status = 'PENDING' } = useSearch({ from: '/approvals' });
  const navigate = useNavigate();
  const query = { limit: 50, ...(status !== 'ALL' && { status: status as ApprovalStatus }) };
  const found = useItems('GET /approvals', query);
  return (
    <Page title="Approvals">
      <div className="filters">
        <Select
          label="Status"
          value={status}
          options={[['ALL', 'All'], ...APPROVAL_STATUSES.map((one) => [one, one] as const)]}
          onChoice={(choice) =>
            navigate({ to: '/approvals', search: { status: choice }, replace: true })
          }
        />
      </div>
      <Loaded of={found}>
        {({ pages }) => <Approvals rows={pages.flatMap(({ data }) => data.items)} />}
      </Loaded>
      <More of={found} />
    </Page>
  );
}

const Approvals = ({ rows }: { rows: readonly Approval[] }) => (
  <Table
    label="Approvals, newest first"
    rows={rows}
    keyOf={({ approval_id }) => approval_id}
    empty="Nothing waits for approval."
    columns={[
      {
        head: 'What',
        cell: ({ summary, kind, object }) => (
          <>
            <strong>{summary}</strong>
            <p className="soft">
              {kind} <Ident id={object.id} search />
            </p>
          </>
        ),
      },
      {
        head: 'Asked by',
        cell: ({ made_by, created_at }) => (
          <>
            <Person id={made_by} />
            <p className="soft">
              <When at={created_at} />
            </p>
          </>
        ),
      },
      { head: 'Approved by', cell: (one) => <Votes of={one} /> },
      { head: 'Status', cell: ({ status }) => <Tag word={status} /> },
      { head: 'Until', cell: ({ expires_at }) => <When at={expires_at} /> },
      { head: 'Action', isAction: true, cell: (one) => <Decide one={one} /> },
    ]}
  />
);

const Votes = ({ of: { approvals, needed, roles } }: { of: Approval }) => (
  <>
    {say('{count} of {needed}', { count: approvals.length, needed })}
    {approvals.map(({ by, at }) => (
      <p key={by} className="soft">
        <Person id={by} /> <When at={at} />
      </p>
    ))}
    {roles.includes('operator') && <p className="soft">{say('one of the platform')}</p>}
  </>
);

/** Offered to those who may decide: nobody about what they have asked for, or have approved already. */
function Decide({ one }: { one: Approval }) {
  const { data: me } = useMe();
  const approve = useChange('POST /approvals/{approval_id}/approve');
  const reject = useChange('POST /approvals/{approval_id}/reject');
  const { approval_id, version, content_hash, made_by, approvals, status, summary } = one;
  const mine = me?.user.user_id;
  const isFor = one.roles.includes(me?.home === 'operator' ? 'operator' : 'admin');
  if (!me?.may.includes('approvals:approve') || !isFor) return null;
  if (status !== 'PENDING' || made_by === mine || approvals.some(({ by }) => by === mine))
    return null;
  const decided = (note: string | undefined) => ({
    params: { approval_id },
    body: { version, content_hash, ...(note && { note }) },
  });
  return (
    <div className="buttons">
      <Act
        verb="Approve"
        look="main"
        title={summary}
        done="It is approved"
        onDo={({ note }) => approve.mutateAsync(decided(note))}
      >
        <p>
          {say('You approve exactly this content:')} <code>{content_hash.slice(0, 16)}</code>
        </p>
        <Area label="Note" name="note" maxLength={500} />
      </Act>
      <Act
        verb="Reject"
        title={summary}
        done="It is rejected"
        danger
        onDo={({ note }) => reject.mutateAsync(decided(note))}
      >
        <Area label="Why" name="note" hint="Stays on record." maxLength={500} required />
      </Act>
    </div>
  );
}
