import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from './icon.tsx';

interface IdentProps {
  readonly id: string;
  /** Where it leads: to what has happened to it. */
  readonly search?: boolean;
}

/** An id or reference, to be copied whole, however much of it there is room for. */
export function Ident({ id, search = false }: IdentProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
  };
  return (
    <span className="ident">
      {search ? (
        <Link to="/timeline" search={{ q: id }}>
          <code>{id}</code>
        </Link>
      ) : (
        <code>{id}</code>
      )}
      <button
        type="button"
        className="copy"
        aria-label={copied ? `Copied ${id}` : `Copy ${id}`}
        title={copied ? 'Copied' : 'Copy'}
        onClick={copy}
        onBlur={() => setCopied(false)}
      >
        <Icon name={copied ? 'done' : 'copy'} />
      </button>
    </span>
  );
}
