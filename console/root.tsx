import { useMe } from './data.ts';
import { Frame } from './frame.tsx';
import { SetUp } from './pages/set-up.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { Loaded } from './ui/loaded.tsx';

/** The log-in, or the screens of the signed-in user. The address stays, so that a log-in returns to its screen. */
export function Root() {
  const me = useMe();
  if (me.data?.state === 'set_up_second_factor') return <SetUp />;
  if (me.data) return <Frame me={me.data} />;
  return me.data === null ? (
    <SignIn />
  ) : (
    <main className="alone">
      <Loaded of={me}>{() => null}</Loaded>
    </main>
  );
}
