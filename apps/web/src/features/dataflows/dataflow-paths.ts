export function dataflowPaths(workspacePath: string) {
  const list = `${workspacePath}/dataflows`
  const editor = (dataflow: string) => `${workspacePath}/dataflow/${dataflow}/editor`
  const block = (dataflow: string, taskBlock: string) => `${editor(dataflow)}/task/${taskBlock}`
  return {
    list,
    folder: (folder: string | null) => (folder === null ? list : `${list}/folder?folder=${folder}`),
    editor,
    logs: (dataflow: string) => `${editor(dataflow)}/logs`,
    flowRun: (dataflow: string, flowRun: string) => `${editor(dataflow)}/logs/${flowRun}`,
    setup: (dataflow: string, taskBlock: string) => `${block(dataflow, taskBlock)}/setup`,
    blockLogs: (dataflow: string, taskBlock: string) => `${block(dataflow, taskBlock)}/logs`,
    runLog: (dataflow: string, taskBlock: string, run: string) => `${block(dataflow, taskBlock)}/log/${run}/details`,
    integrations: `${workspacePath}/integrations`,
    explorer: `${workspacePath}/explorer/home`,
    table: (database: string, { schema, table }: { schema: string; table: string }) =>
      `${workspacePath}/explorer/${database}/schema/${encodeURIComponent(schema)}/table/${encodeURIComponent(table)}/preview`,
  }
}
