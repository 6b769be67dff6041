/** A process with fewer could not keep its database, its callers and what it sends apart. */
const FILES_MIN = 512;
/** From here on the ceilings are what they are meant to be. */
const FILES_WANTED = 8192;

/** How many files and sockets this process may have open. Node has raised that to what it is allowed. */
export function openFilesMax(): number {
  // It would look up the names of whom we are connected with.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: Limits };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : UNLIMITED;
}

interface Limits {
  readonly open_files?: { readonly soft: number | 'unlimited' };
}

/** Where the system names no limit, as Windows does. */
const UNLIMITED = 65_536;

/** What a start does with so many: nothing where they are enough. */
export function checkOpenFiles(
  files: number,
): { readonly refuses: boolean; readonly why: string } | undefined {
  if (files >= FILES_WANTED) return undefined;
  const refuses = files < FILES_MIN;
  const needed = refuses ? `at least ${FILES_MIN}` : `${FILES_WANTED}`;
  return {
    refuses,
    why: `this process may have ${files} files and sockets open; it should have ${needed} (ulimit -n, LimitNOFILE, ulimits of a container)`,
  };
}
