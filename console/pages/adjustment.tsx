import { Link, useParams } from '@tanstack/react-router';
import type { Adjustment, AdjustmentToDecide } from '../adjustment-shapes.ts';
import { money } from '../amount.ts';
import { useAsk, useChange } from '../data.ts';
import { Act } from '../ui/act.tsx';
import { Area } from '../ui/field.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';

/** One correction: its postings, its proposer, and the user's options. */
export function AdjustmentPage() {
  const { id } = useParams({ from: '/adjustments/$id' });
  const found = useAsk('GET /adjustments/{adjustment_id}', { params: { adjustment_id: id } });
  return (
    <Page title="Adjustment" beside={<Link to="/adjustments">All adjustments</Link>}>
      <Loaded of={found}>
        {({ data }) => (
          <>
            <Facts one={data} />
            <Part title={data.status === 'BOOKED' ? 'What was posted' : 'What it would post'}>
              <Table
                label="Entries"
                rows={data.entries}
                keyOf={({ account, amount }) => `${account} ${amount}`}
                empty="Nothing."
                columns={[
                  { head: 'Account', cell: ({ account }) => account },
                  {
                    head: 'Amount',
                    isNumber: true,
                    cell: ({ amount }) => money(amount, data.currency),
                  },
                ]}
              />
            </Part>
            {data.status === 'PROPOSED' && <Decide one={data} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ one }: { one: Adjustment }) {
  const { kind, status, of, direction, wallet_id, reason, reference, decision_note } = one;
  return (
    <dl className="facts wide">
      <dt>Status</dt>
      <dd>
        <Tag word={status} />
      </dd>
      <dt>What</dt>
      <dd>
        {of === null ? `${kind}, ${direction} of wallet ${wallet_id}` : `${kind} of`}
        {of && (
          <>
            {' '}
            <Ident id={of} search />
          </>
        )}
      </dd>
      <dt>Amount</dt>
      <dd>
        <strong>{money(one.amount, one.currency)}</strong>
      </dd>
      <dt>Why</dt>
      <dd>{reason}</dd>
      <By name="Proposed by" user_id={one.proposed_by} at={one.created_at} />
      {one.decided_by !== null && (
        <By name="Decided by" user_id={one.decided_by} at={one.decided_at} />
      )}
      {decision_note && (
        <>
          <dt>Because</dt>
          <dd>{decision_note}</dd>
        </>
      )}
      {status === 'PROPOSED' && (
        <>
          <dt>Lapses</dt>
          <dd>
            <When at={one.expires_at} />
          </dd>
        </>
      )}
      <dt>{reference ? 'Reference' : 'Id'}</dt>
      <dd>
        <Ident id={reference ?? one.adjustment_id} search={reference !== null} />
      </dd>
    </dl>
  );
}

const By = ({ name, user_id, at }: { name: string; user_id: number; at: string | null }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <Person id={user_id} /> {at && <When at={at} />}
    </dd>
  </>
);

/** What the service accepts from the reader, and nothing that it would refuse. */
function Decide({
  one: { adjustment_id, amount, currency, you_may },
}: {
  one: AdjustmentToDecide;
}) {
  const approve = useChange('POST /adjustments/{adjustment_id}/approve');
  const reject = useChange('POST /adjustments/{adjustment_id}/reject');
  const withdraw = useChange('POST /adjustments/{adjustment_id}/withdraw');
  const params = { adjustment_id };
  if (you_may.length === 0)
    return <p className="decide">Your role does not decide about corrections.</p>;
  if (you_may.includes('withdraw'))
    return (
      <div className="decide">
        <p>You have proposed it, so somebody else has to decide.</p>
        <Act
          verb="Withdraw"
          title="Withdraw this adjustment?"
          done="The adjustment is withdrawn"
          danger
          onDo={() => withdraw.mutateAsync({ params, body: {} })}
        >
          <p>Nothing is booked. It can be proposed anew.</p>
        </Act>
      </div>
    );
  return (
    <div className="decide buttons">
      {you_may.includes('approve') ? (
        <Act
          verb="Approve"
          look="main"
          title={`Book ${amount} ${currency}?`}
          done={`${amount} ${currency} are booked`}
          onDo={() => approve.mutateAsync({ params, body: {} })}
        >
          <p>
            The entries above are posted at once. Undoing it takes another reversal, by two people
            again.
          </p>
        </Act>
      ) : (
        <p>
          Approval needs an admin of the operator whose account is older than the proposal, and whom
          the proposer did not make. You can reject it.
        </p>
      )}
      <Act
        verb="Reject"
        title="Reject this adjustment?"
        done="The adjustment is rejected"
        danger
        onDo={({ reason = '' }) => reject.mutateAsync({ params, body: { reason } })}
      >
        <Area label="Why" name="reason" hint="Stays on record." maxLength={500} required />
      </Act>
    </div>
  );
}
