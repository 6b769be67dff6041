import { notice } from '../notice.ts';
import { useStore } from '../store.ts';
import { Icon } from './icon.tsx';

/** Announces a completed action, also to screen readers. */
export function Toast() {
  const text = useStore(notice);
  return (
    <div className="toast" role="status">
      {text && (
        <p>
          <Icon name="done" />
          {text}
          <button
            type="button"
            className="copy"
            aria-label="Close"
            onClick={() => notice.set(undefined)}
          >
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
