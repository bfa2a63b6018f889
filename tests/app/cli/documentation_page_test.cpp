// SPDX-License-Identifier: GPL-3.0-or-later
// Where the program looks for the documentation site: beside it, as it is installed, and in its
// build.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include "app/base/user_files.h"

namespace twosphere::documentation_page_test {
namespace {

QString make(const QString& path) {
  QDir().mkpath(QFileInfo(path).path());
  QFile file(path);
  EXPECT_TRUE(file.open(QFile::WriteOnly));
  return QFileInfo(path).canonicalFilePath();
}

TEST(DocumentationPage, IsFoundWhereItIsInstalledOrBuilt) {
  const QTemporaryDir folder;
  const QString bin = folder.filePath("prefix/bin"), build = folder.filePath("build");
  QDir().mkpath(bin);
  QDir().mkpath(build);
  EXPECT_EQ(documentation_page(bin), QString());
  EXPECT_EQ(documentation_page(build), QString());
  const QString installed = make(folder.filePath("prefix/share/doc/twosphere/html/index.html")),
                made = make(build + "/site/html/index.html");
  EXPECT_EQ(documentation_page(bin), installed);
  EXPECT_EQ(documentation_page(build), made);
  // A folder of that name is none.
  QDir().mkpath(folder.filePath("other/site/html/index.html"));
  EXPECT_EQ(documentation_page(folder.filePath("other")), QString());
}

}  // namespace
}  // namespace twosphere::documentation_page_test
