import { Link } from '@tanstack/react-router';
import { useMe, useName } from '../data.ts';

/** Somebody by name and number; the operator's people go on to all that is known of them. */
export function Person({ id }: { id: number }) {
  const { data: me } = useMe();
  const { data: known } = useName(id);
  const name = known?.username ?? `user ${id}`;
  const shown = (
    <>
      <span>{name}</span>
      {known && <span className="soft"> {id}</span>}
      {me?.user.user_id === id && <span className="soft"> (you)</span>}
    </>
  );
  if (me?.home !== 'operator') return <span className="person">{shown}</span>;
  return (
    <span className="person">
      <Link to="/timeline" search={{ q: String(id) }}>
        {shown}
      </Link>
      {known && known.client_id !== me.user.client_id && (
        <span className="soft"> of {known.organisation}</span>
      )}
    </span>
  );
}
