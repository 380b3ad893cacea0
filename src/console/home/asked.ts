export interface Asked {
  q: string
  isHandoff: boolean
}
