// The part of d3-hierarchy that the dashboard uses.
export function hierarchy(data: unknown): unknown;
export function tree(): any;
