export interface WorkspaceAddress {
  account_trellis_code: string
  workspace_address: string
}
