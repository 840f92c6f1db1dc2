import * as branches from '@trellis/contract/worksheets/branches.endpoints'
import * as chartCalls from '@trellis/contract/worksheets/charts.endpoints'
import * as projects from '@trellis/contract/worksheets/projects.endpoints'
import * as scheduledCalls from '@trellis/contract/worksheets/scheduled.endpoints'
import { handle } from '../../http/handle.ts'
import { unlinkBlock } from '../dataflows/linked/linked-blocks.service.ts'
import { readBranch } from './branch-state.ts'
import * as chart from './charts/charts.ts'
import * as file from './files.ts'
import * as folder from './folders.ts'
import * as history from './history.ts'
import * as project from './projects.ts'
import * as pull from './pull.ts'
import { pushToLiveBranch } from './push.ts'
import * as restore from './restore.ts'
import * as scheduled from './scheduled/block-worksheet.ts'
import { getPushPlan } from './scheduled/block-updates.ts'
import { runAsDataflow } from './scheduled/run-as-dataflow.service.ts'
import { searchWorksheets } from './search.ts'
import { showBranch } from './show-branch.ts'

export const worksheetsRoutes = [
  handle(projects.createProject, ({ body }, ctx) => project.createProject(ctx, body)),
  handle(projects.updateProject, ({ body }, ctx) => project.updateProject(ctx, body)),
  handle(projects.getProject, ({ params }, ctx) => project.getProject(ctx, params.project_id)),
  handle(projects.deleteProject, ({ params }, ctx) => project.deleteProject(ctx, params.project_id)),
  handle(projects.listProjects, (_, ctx) => project.listProjects(ctx)),
  handle(projects.listProjectFiles, (_, ctx) => project.listProjectFiles(ctx)),
  handle(projects.listUnpublishedChanges, (_, ctx) => project.listUnpublishedChanges(ctx)),
  handle(projects.searchWorksheets, ({ query }, ctx) => searchWorksheets(ctx, query)),
  handle(projects.createWorksheet, ({ body }, ctx) => file.createFile(ctx, body)),
  handle(projects.updateWorksheet, ({ body }, ctx) => file.updateFile(ctx, body)),
  handle(projects.deleteWorksheet, ({ query }, ctx) => file.deleteFile(ctx, query)),
  handle(projects.restoreWorksheet, ({ body }, ctx) => restore.restoreFile(ctx, body)),
  handle(projects.discardChanges, ({ body }, ctx) => restore.discardChanges(ctx, body)),
  handle(projects.createFolder, ({ body }, ctx) => folder.createFolder(ctx, body)),
  handle(projects.updateFolder, ({ body }, ctx) => folder.updateFolder(ctx, body)),
  handle(projects.deleteFolder, ({ query }, ctx) => folder.deleteFolder(ctx, query)),
  handle(projects.listFolders, ({ params }, ctx) => folder.listFolders(ctx, params.project_id)),
  handle(projects.getBothTrees, ({ params }, ctx) => project.getBothTrees(ctx, params.project_id)),
  handle(projects.getEditorSettings, (_, ctx) => project.getEditorSettings(ctx)),
  handle(projects.updateEditorSettings, ({ body }, ctx) => project.updateEditorSettings(ctx, body)),
  handle(branches.getUserBranch, async ({ params }, ctx) => showBranch(ctx, await readBranch(ctx, params.project_id))),
  handle(branches.getLiveFile, ({ params }, ctx) => history.getLiveFile(ctx, params)),
  handle(branches.getUserFile, ({ params }, ctx) => file.getUserFile(ctx, params)),
  handle(branches.getUserFileDiff, ({ params }, ctx) => history.getUserFileDiff(ctx, params)),
  handle(branches.listDraftVersions, ({ params }, ctx) => restore.listDraftVersions(ctx, params)),
  handle(branches.getDraftVersion, ({ params }, ctx) => restore.getDraftVersion(ctx, params)),
  handle(branches.listDeletedFiles, ({ params }, ctx) => restore.listDeletedFiles(ctx, params.project_id)),
  handle(branches.listConflicts, ({ params }, ctx) => pull.listConflicts(ctx, params.project_id)),
  handle(branches.resolveConflict, ({ body }, ctx) => pull.resolveConflict(ctx, body)),
  handle(branches.getLiveHead, ({ params }, ctx) => history.getLiveHead(ctx, params.project_id)),
  handle(branches.listProjectHistory, ({ params, query }, ctx) =>
    history.listProjectHistory(ctx, params.project_id, query),
  ),
  handle(branches.getCommit, ({ params }, ctx) => history.getCommit(ctx, params)),
  handle(branches.listFileHistory, ({ params, query }, ctx) => history.listFileHistory(ctx, params, query)),
  handle(branches.getFileDiff, ({ params }, ctx) => history.getFileDiff(ctx, params)),
  handle(branches.pullLiveBranch, ({ body }, ctx) => pull.pullLiveBranch(ctx, body)),
  handle(chartCalls.listWorksheetCharts, ({ params }, ctx) => chart.listCharts(ctx, params)),
  handle(chartCalls.saveWorksheetChart, ({ body }, ctx) => chart.saveChart(ctx, body)),
  handle(chartCalls.shareWorksheetChart, ({ body }, ctx) => chart.shareChart(ctx, body)),
  handle(chartCalls.deleteWorksheetChart, ({ query }, ctx) => chart.deleteChart(ctx, query)),
  handle(scheduledCalls.runAsDataflow, ({ body }, ctx) => runAsDataflow(ctx, body)),
  handle(scheduledCalls.getPushPlan, ({ params }, ctx) => getPushPlan(ctx, params.project_id)),
  handle(scheduledCalls.listWorksheetBlocks, ({ params }, ctx) => scheduled.listWorksheetBlocks(ctx, params)),
  handle(scheduledCalls.getBlockWorksheet, ({ params }, ctx) =>
    scheduled.getBlockWorksheet(ctx, params.task_block_trellis_code),
  ),
  handle(scheduledCalls.updateFromWorksheet, ({ params, body }, ctx) =>
    scheduled.updateFromWorksheet(ctx, params.task_block_trellis_code, body),
  ),
  handle(scheduledCalls.unlinkWorksheet, ({ params, body }, ctx) =>
    unlinkBlock(ctx, params.task_block_trellis_code, body.version),
  ),
  handle(branches.pushToLiveBranch, ({ body }, ctx) => pushToLiveBranch(ctx, body)),
]
