import { formerHub, imagePatterns } from "../../config/images.ts";
import { imageRulesAnnotation, imagesAnnotation } from "../../config/names/labels.ts";
import { annotationOf, hasAnnotation, type PolicyContent, title, withBefore } from "./admissionPolicy.ts";
import { fewEnough, fewItems } from "./fewEnough.ts";
import { podChanges, podSpec } from "./podSpecs.ts";

/** Characters of a list and of an image in a message: the API server drops a message above 5 KiB. */
const mostShown = { list: 500, image: 300 };

const few = fewEnough("containers and volumes");

/**
 * Allows members' pods only images on the list of their namespace, in containers of all sorts and in volumes; the same holds
 * for objects that make pods. An object keeps its former images: otherwise nobody could scale down or finish it after the
 * list was tightened. The pods that it makes are judged in their turn.
 *
 * The cost of one image does not grow with the length of the list, since the API server refuses a policy that costs too
 * much.
 * @see https://kubernetes.io/docs/reference/using-api/cel/#cost-budget
 */
export const imagesPolicy: PolicyContent = {
  ...podChanges,
  variables: {
    title,
    isHeld: hasAnnotation(imageRulesAnnotation),
    ...withBefore({
      pod: podSpec,
      containers: "variables.pod.?containers.orValue([])",
      initContainers: "variables.pod.?initContainers.orValue([])",
      ephemeralContainers: "variables.pod.?ephemeralContainers.orValue([])",
      volumes: "variables.pod.?volumes.orValue([])",
      judged: `
        [variables.containers, variables.initContainers, variables.ephemeralContainers, variables.volumes]`,
      ...fewItems,
      images: `
        !variables.isFew ? []
        : variables.containers.map(each,
            {'of': "container '" + string(each.name) + "'", 'image': string(each.?image.orValue(''))})
          + variables.initContainers.map(each,
            {'of': "initContainer '" + string(each.name) + "'", 'image': string(each.?image.orValue(''))})
          + variables.ephemeralContainers.map(each,
            {'of': "ephemeralContainer '" + string(each.name) + "'", 'image': string(each.?image.orValue(''))})
          + variables.volumes.filter(each, has(each.image)).map(each,
            {'of': "volume '" + string(each.name) + "'", 'image': string(each.image.?reference.orValue(''))})`,
    }),
    former: "variables.imagesBefore.map(use, use.image)",
    added: "variables.images.filter(use, use.image != '' && !(use.image in variables.former))",
    lines: `${annotationOf(imageRulesAnnotation)}.split('\\n')`,
    patterns: "variables.lines.filter(line, line.contains(' ')).map(line, line.split(' '))",
    names: "variables.patterns.map(rule, rule[0])",
    folders: "variables.lines.map(line, line.split(' ')).filter(rule, rule[0].endsWith('/'))",
    // As in config/images.ts; a text that is no image name becomes the name of none.
    references: `
      variables.added
      .map(use, {'of': use.of, 'image': use.image, 'found': use.image.find(r'${imagePatterns.repository}')})
      .map(use, {'of': use.of, 'image': use.image, 'rest': use.image.substring(use.found.size()),
        'named': !use.image.matches(r'${imagePatterns.reference}') || use.image.matches(r'${imagePatterns.id}') ? '?'
          : use.found.matches(r'${imagePatterns.registry}') ? use.found : 'docker.io/' + use.found})
      .map(use, {'of': use.of, 'image': use.image,
        'version': use.rest == '' ? ':latest' : use.rest.contains('@') ? use.rest.find('@.*') : use.rest,
        'repository': use.named.matches(r'${imagePatterns.official}') ? 'docker.io/library/' + use.named.split('/')[1]
          : use.named.startsWith('${formerHub}') ? 'docker.io/' + use.named.substring(${formerHub.length}) : use.named})`,
    unlisted: `
      variables.references.filter(use, !(use.repository in variables.lines)
        && !((use.repository + use.version) in variables.lines)
        && ![variables.names.indexOf(use.repository)].exists(at, at >= 0 && use.version.matches(variables.patterns[at][1])))`,
    refused: `
      variables.unlisted.filter(use, !variables.folders.exists(rule,
        use.repository.startsWith(rule[0]) && (rule.size() == 1 || use.version.matches(rule[1]))))`,
    list: `${annotationOf(imagesAnnotation)}.replace('\\n', ', ')`,
  },
  validations: [
    {
      expression: "!variables.isHeld || variables.refused.size() == 0",
      messageExpression: `
        variables.refused[0].of + " has the image '"
        + (variables.refused[0].image.size() <= ${mostShown.image} ? variables.refused[0].image
          : variables.refused[0].image.substring(0, ${mostShown.image}) + "...")
        + "'" + (variables.refused.size() > 1 ? " (and " + string(variables.refused.size() - 1) + " more are not allowed)" : "")
        + ", which namespace '" + namespaceObject.metadata.name + "' does not allow: "
        + (variables.list == '' ? "it allows none"
          : variables.list.size() <= ${mostShown.list} ? "it allows " + variables.list
          : "it allows " + variables.list.substring(0, ${mostShown.list}) + "... (all of them: its annotation ${imagesAnnotation})")
        + "; use what is allowed, or ask " + variables.contact + " for another"`,
    },
    { ...few, expression: `!variables.isHeld || ${few.expression}` },
  ],
};
