/** From this version on Node runs TypeScript sources as they are, without a flag or a warning. */
const NEEDED = [24, 12];

/** Ends the process with an explanation when Node is too old to run `what`. */
export function requireNode(what) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  console.error(
    `${what} needs Node ${NEEDED.join('.')} or later, this is ${process.versions.node}.\n` +
      'npm installs a fitting one for Linux, macOS and Windows on common processors ' +
      '(an optional dependency named node-<platform>).\n' +
      'Where that is missing, install Node 24 from https://nodejs.org and run the command again.',
  );
  process.exit(1);
}
