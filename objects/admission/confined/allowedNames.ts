/** CEL: whether a namespace limits names by an annotation. */
export const isHeldBy = (annotation: string) => `namespaceObject.metadata.?annotations[?'${annotation}'].hasValue()`;

/** CEL: names that a namespace allows by an annotation, where they are separated by commas. */
export const allowedIn = (annotation: string) =>
  `namespaceObject.metadata.?annotations[?'${annotation}'].orValue('').split(',').filter(name, name != '')`;
