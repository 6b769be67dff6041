import { useChange } from '../data.ts';
import type { Stalled } from '../shapes.ts';
import { Act } from '../ui/act.tsx';

type OpenItem = Pick<Stalled, 'what' | 'kind' | 'id'>;

/** Has open work looked at again now. */
export function TryAgain({ one: { what, kind, id } }: { one: OpenItem }) {
  const { mutateAsync } = useChange('POST /desk/work/try-again');
  return (
    <Act
      verb="Try again"
      title={`Try ${kind} again?`}
      done={`${kind} ${id} is looked at again now`}
      onDo={() => mutateAsync({ body: { what, kind, id } })}
    >
      <p>
        The {what} <code>{id}</code> is looked at again now. What has happened outside is looked up
        first, so nothing is done twice.
      </p>
    </Act>
  );
}
